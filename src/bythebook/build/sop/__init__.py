"""From business documents to procedures: Algorithm 1 of BizAgentBench, each stage as files."""
