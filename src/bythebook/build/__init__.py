"""Construction: from business documents and interviews to procedures and tasks, gate by gate."""
