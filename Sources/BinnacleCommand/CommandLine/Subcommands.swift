extension Subcommand {
  /// Every subcommand, in the order of the list in `--help`.
  static let all: [Subcommand] = [
    .run,
    .devices,
    .claim,
    .release,
    .doctor,
    .receiver,
    .decode,
    .fix,
    .watch,
    .status,
    .sessions,
    .regions,
    .visits,
    .grant,
    .revoke,
    .policy,
    .logDump,
    .logCheck,
    .geocode,
    .places,
    .simulate,
    .plan,
    .manual,
  ]
}
