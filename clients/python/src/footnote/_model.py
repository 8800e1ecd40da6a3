from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """What the service answers. Fields that a later version of it adds are kept, under their names."""

    model_config = ConfigDict(extra="allow", protected_namespaces=(), populate_by_name=True)
