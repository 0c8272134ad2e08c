"""stem-01-drawing-bom: a drawing set checked against the ERP bill before a machine is built."""
