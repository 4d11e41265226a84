import ReceiverControl

extension ClaimPolicy {
  /// What the receivers' sections of the configuration say of claims.
  package init(_ receivers: [Configuration.Receiver]) {
    self.init(
      claims: Set(receivers.filter { $0.claim == true }.map(\.name)),
      releases: Set(receivers.filter { $0.claim == false }.map(\.name)))
  }
}
