"""All tables."""

from __future__ import annotations

import importlib
import pkgutil

from peewee import sort_models

from server.storage import models
from server.storage.models.base import BaseModel

for _module in pkgutil.iter_modules(models.__path__, f"{models.__name__}."):
    importlib.import_module(_module.name)

MODELS: tuple[type[BaseModel], ...] = tuple(sort_models(BaseModel.__subclasses__()))
"""Every model, parents first."""
