import Quantities
import Report
import Testing

@Suite("The axes of a plot", .timeLimit(.minutes(30)))
struct PlotAxisTests {
  @Test(
    "a step is the least of 1, 2 and 5 times a power of ten",
    arguments: [
      (0.9, 1.0), (1, 1), (1.1, 2), (2.4, 5), (5.1, 10), (0.03, 0.05), (370, 500), (1e-7, 1e-7),
    ])
  func step(length: Double, expected: Double) {
    #expect(abs(PlotAxis.niceStep(length) / expected - 1) < 1e-9)
  }

  @Test("ticks lie in the range, rise, and have as many decimals as they need")
  func linear() {
    let axis = PlotAxis.linear(-0.13...0.42)
    #expect(axis.ticks.map(\.label) == ["0.0", "0.2", "0.4"])
    #expect(axis.range.contains(-0.13) && axis.range.contains(0.42))
    #expect(
      PlotAxis.linear(46.1...46.2, least: 4).ticks.map(\.label) == ["44", "45", "46", "47", "48"])
    #expect(PlotAxis.linear(3...9, hasZero: true).range.lowerBound == 0)
  }

  @Test("a time has minutes and hours where it is long")
  func time() {
    #expect(PlotAxis.time(60).label == "time, s")
    #expect(PlotAxis.time(60).ticks.map(\.label) == ["0", "20", "40", "60"])
    let minutes = PlotAxis.time(3600)
    #expect(minutes.label == "time, min")
    #expect(minutes.ticks.map(\.label) == ["0", "15", "30", "45", "60"])
    #expect(minutes.ticks.map(\.value) == [0, 900, 1800, 2700, 3600])
    #expect(PlotAxis.time(20 * 3600).label == "time, h")
  }

  @Test("angles have steps that divide a turn, with labels below a turn")
  func degrees() {
    let axis = PlotAxis.degrees(
      350...400, label: { $0 >= 360 ? $0 - 360 : $0 })
    #expect(axis.ticks.map(\.label) == ["0", "15", "30"])
  }

  @Test("a logarithmic axis has powers of ten, and more where it is short")
  func logarithmic() {
    #expect(
      PlotAxis.logarithmic(-3...2).ticks.map(\.label) == ["0.001", "0.01", "0.1", "1", "10", "100"])
    #expect(PlotAxis.logarithmic(0...1).ticks.map(\.label) == ["1", "2", "5", "10"])
    #expect(LogarithmText.text(1e-6) == "10⁻⁶")
    #expect(LogarithmText.text(3e-6) == "3·10⁻⁶")
  }
}
