import CalibrationFit
import Quantities
import Testing

@Suite("Search for the mount", .timeLimit(.minutes(30)))
struct MountSearchTests {
  private static let place = FieldPrior.model(EarthField(horizontal: 18, down: 44))

  /// A board whose magnetometer is mounted so.
  private func board(
    _ seed: UInt64, _ mount: SignedAxes, misalignment: Double = 5
  ) -> SimulatedBoard {
    var board = SimulatedBoard(seed: seed, misalignment: misalignment)
    board.distortion.shape = board.distortion.shape * mount.matrix
    return board
  }

  @Test("twenty seconds of free turning find each of the 48 mounts in a known place")
  func findsAll() throws {
    for (n, mount) in SignedAxes.all.enumerated() {
      let board = board(UInt64(n + 1), mount)
      let found = try MountSearch(fit: ForwardFit(prior: Self.place))
        .search(board.observations(.free, seconds: 20))
      #expect(found.mount == mount && found.isAccepted, "\(mount): \(found.mount) \(found.gap)")
      #expect(found.runnerUp != mount)
      // The shape goes from the inertial unit's axes, so it contains the mount.
      #expect(board.headingError(found.solution.estimate.distortion) < 3)
      let turned = found.solution.estimate.distortion.shape * mount.matrix.transposed
      for i in 0..<3 { #expect(turned[i, i] > 0.5) }
    }
  }

  @Test("without a place only mounts without a mirror are tested, in either hemisphere")
  func placeUnknown() throws {
    for (n, mount) in SignedAxes.all.enumerated() {
      var board = board(UInt64(n + 60), mount)
      if n % 3 == 0 { board.earth.down *= -1 }
      let found = try MountSearch().search(board.observations(.free, seconds: 25))
      #expect(!found.mount.isMirrored && !found.runnerUp.isMirrored)
      if !mount.isMirrored {
        #expect(found.mount == mount && found.isAccepted, "\(mount): \(found.mount) \(found.gap)")
      }
    }
  }

  @Test(
    "a wrong mount is never accepted after any amount of turning",
    arguments: [SimulatedMotion.Kind.free, .leaning, .level, .rest])
  func neverWrong(kind: SimulatedMotion.Kind) throws {
    var accepted = 0
    var random = NumberSequence(seed: 12)
    for seed in 1...40 as ClosedRange<UInt64> {
      let mount = SignedAxes.all[Int(bounded: random.uniform(0, 48))]
      let board = board(seed, mount, misalignment: random.uniform(0, 8))
      let seconds = [6.0, 12, 25][Int(bounded: random.uniform(0, 3))]
      let found = try MountSearch(fit: ForwardFit(prior: Self.place))
        .search(board.observations(kind, seconds: seconds))
      if found.isAccepted {
        accepted += 1
        #expect(found.mount == mount, "\(seed) \(seconds) s: \(mount), \(found.mount) \(found.gap)")
      }
      #expect(found.gap >= 0 && found.isAccepted == (found.gap > 15))
    }
    switch kind {
    case .free: #expect(accepted > 26, "\(accepted)")
    // A quarter turn of the sensor looks like a quarter turn of north.
    case .level, .rest: #expect(accepted == 0)
    case .leaning: break
    }
  }

  @Test("small tilts during a level turn never accept a wrong mount", arguments: [0.05, 0.1, 0.2])
  func smallTilts(share: Double) throws {
    for seed in 1...15 as ClosedRange<UInt64> {
      let mount = SignedAxes.all[Int(seed * 7 % 48)]
      let board = board(seed, mount)
      // Of a leaning turn only what leans little.
      let flat = board.observations(.leaning, seconds: 60).filter {
        ($0.axes?.down.z ?? 0) > 1 - share
      }
      guard flat.count >= 40 else { continue }
      let found = try MountSearch(fit: ForwardFit(prior: Self.place)).search(flat)
      #expect(!found.isAccepted || found.mount == mount, "\(seed): \(found.gap)")
    }
  }

  @Test("covariance and prediction are along the inertial unit's axes")
  func covariance() throws {
    var parameters = ForwardFit.Parameters()
    // Then no cell of attitudes is weighted, and both fits get the same data.
    parameters.fullWeightCount = 1e6
    let fit = ForwardFit(prior: Self.place, parameters: parameters)
    for (n, mount) in SignedAxes.all.enumerated() {
      let observations = board(UInt64(n % 5 + 1), mount).observations(.leaning, seconds: 15)
      let found = try fit.fit(observations, mount: mount)
      let turned = observations.map { o in
        // The same axes along the magnetometer's, the field as it is.
        var other = o.along(mount.matrix)
        other.field = o.field
        return other
      }
      let plain = try fit.fit(turned)
      #expect(abs(found.cost - plain.cost) < 1e-6 * abs(plain.cost) && found.yaw == plain.yaw)
      let (a, b) = (
        try #require(HeadingErrorPrediction(found.estimate)),
        try #require(HeadingErrorPrediction(plain.estimate))
      )
      for o in observations.prefix(60) {
        let axes = try #require(o.axes)
        let (down, helper) = (try #require(axes.down.normalized), axes.x)
        let north = try #require((helper - down * helper.dot(down)).normalized)
        let own = a.sigma(down: down, north: north)
        let other = b.sigma(down: mount.matrix * down, north: mount.matrix * north)
        #expect(abs(own / other - 1) < 1e-6, "\(mount)")
      }
    }
  }

  @Test("too few observations are reported as such")
  func tooFew() {
    #expect(throws: CalibrationFitError.tooFewSamples(found: 0, needed: 20)) {
      try MountSearch().search([])
    }
  }
}
