extension Subcommand {
  /// Every subcommand, in the order of the list in `--help`.
  static let all: [Subcommand] = [
    .run,
    .decode,
    .logDump,
    .simulate,
  ]
}
