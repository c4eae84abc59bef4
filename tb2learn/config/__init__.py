"""Configurations, by subject: frozen and validated, read from TOML.

A configuration says everything a random result depends on besides the seed: what is played
(`settings`), and what is fitted to it (`plans`). Constructors validate, so a `Config` (`recipes`)
that exists is a valid one. `toml_files` reads and writes files, `headers` what checkpoints hold,
`shipped` finds what is shipped by its name, and `setting_words` says what is played.
"""

from tb2learn.chess.event_format import EventFormat as EventFormat
from tb2learn.config.headers import from_dict as from_dict
from tb2learn.config.headers import to_dict as to_dict
from tb2learn.config.headers import upgrade as upgrade
from tb2learn.config.key_tables import plain as plain
from tb2learn.config.plans import Aim as Aim
from tb2learn.config.plans import DecisionConfig as DecisionConfig
from tb2learn.config.plans import Law as Law
from tb2learn.config.plans import Objective as Objective
from tb2learn.config.plans import SurfaceConfig as SurfaceConfig
from tb2learn.config.plans import TrainConfig as TrainConfig
from tb2learn.config.plans import World as World
from tb2learn.config.recipes import Config as Config
from tb2learn.config.recipes import assumed as assumed
from tb2learn.config.recipes import described as described
from tb2learn.config.recipes import resized as resized
from tb2learn.config.recipes import with_plan as with_plan
from tb2learn.config.setting_words import setting_said as setting_said
from tb2learn.config.setting_words import size_name as size_name
from tb2learn.config.settings import FieldConfig as FieldConfig
from tb2learn.config.settings import GameConfig as GameConfig
from tb2learn.config.settings import NoisePoints as NoisePoints
from tb2learn.config.settings import Setting as Setting
from tb2learn.config.settings import field_like as field_like
from tb2learn.config.settings import field_of as field_of
from tb2learn.config.shipped import NotFound as NotFound
from tb2learn.config.shipped import find_file as find_file
from tb2learn.config.shipped import place_note as place_note
from tb2learn.config.toml_files import load_config as load_config
from tb2learn.config.toml_files import load_world as load_world
from tb2learn.config.toml_files import to_toml as to_toml
from tb2learn.limits import MAX_RATING as MAX_RATING
from tb2learn.types import check_name as check_name
