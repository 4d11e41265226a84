import Testing

@testable import Benchmarks

@Suite("Results") struct ResultsTests {
  @Test("the median of an even number of values lies between the two in the middle")
  func median() {
    #expect(Samples([4, 1, 3, 2]).median == 2.5)
    #expect(Samples([5, 1, 3]).median == 3)
    #expect(Samples([2, 8]).quantile(1) == 8)
  }

  @Test("ratios are taken round by round")
  func ratio() {
    let ratio = Samples([10, 30]) / Samples([5, 10])
    #expect(ratio.values == [2, 3])
  }

  @Test("a goal is as good as the worst of its parts, and what is not known does not count")
  func verdict() {
    let fine = Clause.atLeast("a", Samples([3]), gate: 1, target: 2)
    let passing = Clause.atMost("b", Samples([3]), gate: 4, target: 2)
    let failing = Clause.atMost("c", Samples([5]), gate: 4, target: 2)
    let unknown = Clause.notMeasured("d")
    func goal(_ clauses: [Clause]) -> Verdict {
      GoalResult(id: 1, title: "", clauses: clauses).verdict
    }
    #expect(goal([fine, unknown]) == .target)
    #expect(goal([fine, passing]) == .gate)
    #expect(goal([passing, failing, unknown]) == .missed)
    #expect(goal([unknown]) == .notMeasured)
  }

  @Test("options are read in both forms, and wrong ones refused")
  func options() throws {
    let options = try #require(
      try Options(["--rounds", "7", "--goals=P1,3", "--format=json", "--corpus", "logs"]))
    #expect(options.rounds == 7)
    #expect(options.goals == [1, 3])
    #expect(options.isJSON)
    #expect(options.corpus == "logs")
    let help = try Options(["--help"])
    #expect(help?.rounds == nil)
    for wrong in [["--rounds", "0"], ["--goals", "P17"], ["--format", "xml"], ["--rounds"]] {
      #expect(throws: BenchError.self) { _ = try Options(wrong) }
    }
  }
}
