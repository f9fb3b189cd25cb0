#!/usr/bin/env bash
# Matches between neighboring strength levels, to calibrate the table in src/search/level.rs.
#
# usage: levels.sh ENGINE FASTCHESS BOOK.epd [FIRST LAST STEP [GAMES]]
#
# Each level plays the one STEP Elo above it (default 800 to 2400 by 200, 60 games at 1+0.01), every opening twice
# with colors reversed. A row for each pair: games, and the score of the stronger level in percent. A step of 200 Elo
# should score between 62 and 88 percent; if it scores less, give the stronger row more nodes, less blur or fewer
# oversights. FASTCHESS is the command of https://github.com/Disservin/fastchess.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'; exit 2; }
engine=$1 fastchess=$2 book=$3 first=${4:-800} last=${5:-2400} step=${6:-200} games=${7:-60}

printf '| weaker | stronger | games | stronger scores |\n|---|---|---|---|\n'
for ((elo = first; elo + step <= last; elo += step)); do
    "$fastchess" \
        -engine cmd="$engine" name=stronger option.UCI_Elo=$((elo + step)) \
        -engine cmd="$engine" name=weaker option.UCI_Elo="$elo" \
        -each tc=1+0.01 option.UCI_LimitStrength=true \
        -openings file="$book" format=epd order=random -srand 1 \
        -rounds $(((games + 1) / 2)) -games 2 -repeat -concurrency 1 -ratinginterval 0 -recover 2>&1 |
        sed -n 's/^Games: \([0-9]*\),.*Points: [0-9.]* (\([0-9.]*\) %).*/\1 \2/p' | tail -n 1 |
        { read -r played percent && printf '| %d | %d | %s | %s %% |\n' "$elo" $((elo + step)) "$played" "$percent"; }
done
