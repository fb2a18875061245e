import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(
  "Search for the mount on recorded motion",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are not here"),
  .timeLimit(.minutes(30)))
struct RecordedMountTests {
  /// Searches in a trial through four irons, the magnetometer mounted another way each time.
  private func wrong(_ name: String, _ prior: FieldPrior) throws -> (accepted: Int, wrong: [String])
  {
    let clean = try #require(RecordedTurns.all[name]).observations()
    let mounts = SignedAxes.all.filter { prior.isPlaceKnown || !$0.isMirrored }
    var accepted = 0
    var wrong: [String] = []
    for seed in 3...6 as ClosedRange<UInt64> {
      let mount = seed < 5 ? .identity : mounts[Int(seed * 5) % mounts.count]
      var iron = SimulatedBoard(seed: seed, misalignment: 2).distortion
      iron.shape = iron.shape * mount.matrix
      let found = try MountSearch(fit: ForwardFit(prior: prior)).search(clean.distorted(iron))
      guard found.isAccepted else { continue }
      accepted += 1
      let field = found.solution.estimate.earthField
      if found.mount != mount { wrong.append("\(mount): \(found.mount) \(found.gap) \(field)") }
    }
    return (accepted, wrong)
  }

  @Test(
    "a whole trial finds the mount in a known place", arguments: ["02", "04", "07", "08"])
  func placeKnown(name: String) throws {
    let found = try wrong(name, .model(EarthField(horizontal: 18, down: 46)))
    #expect(found.wrong.isEmpty, "\(found.wrong)")
    #expect(found.accepted >= 3)
  }

  @Test("without the place a mount without a mirror is found", arguments: ["02", "04", "07", "08"])
  func placeUnknown(name: String) throws {
    let found = try wrong(name, .unknown)
    #expect(found.accepted >= 3)
    #expect(found.wrong.isEmpty, "\(found.wrong)")
  }

  @Test("a motion with little rotation never accepts a wrong mount", arguments: ["10", "12", "16"])
  func translations(name: String) throws {
    #expect(try wrong(name, .model(EarthField(horizontal: 18, down: 46))).wrong.isEmpty)
    #expect(try wrong(name, .unknown).wrong.isEmpty)
  }
}
