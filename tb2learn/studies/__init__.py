"""Studies that answer questions of the literature, each with a report in `reports/`.

- `quickstart`: the main job with one command. `leaderboard`: all rules compared. `robustness`:
  tables under other configurations than they were trained for. `thesis`: its printed figures.
- `game_model`, `game_model_report`: the game model fitted to real games.
- `ricca`, `unplayed`, `rankings`: one folder per paper; `claims`: what the first two share.
- `report_folder`: writes the files of a report.
"""
