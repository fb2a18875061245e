import CalibrationFit
import Foundation
import Quantities
import RecordedTrials
import Study

/// A recording that is fitted, a trial that fits are judged on, or both.
struct SetRecording: Sendable {
  let set: String
  let trial: Trial
  /// Recordings of one key were made by one sensor with the same iron.
  let key: String
  let isJudge: Bool
  /// What the recorded field is of the field that counts as true.
  var reference = DrawnDistortion.none
  /// The same by the optical attitude of this recording alone: the iron during it.
  var own: DrawnDistortion?
}

extension DrawnDistortion {
  /// This one after another.
  func after(_ first: DrawnDistortion) -> DrawnDistortion {
    var both = self
    both.shape = shape * first.shape
    both.offset = shape * first.offset + offset
    return both
  }
}

/// All recordings of the reference data that a calibration can be fitted to.
enum RecordedSets {
  static let names = ["BROAD", ownIron, "T-stick", "phones"]
  /// Trials of BROAD with an object on the sensor: the calibration contains it, so the other trials
  /// are no reference.
  static let ownIron = "BROAD, phone or magnet on it"

  static func load(shared: String) throws -> [SetRecording] {
    try broad(shared) + tstick(shared) + phones(shared)
  }

  private static func broad(_ shared: String) throws -> [SetRecording] {
    try loadTrials(shared: shared).map {
      SetRecording(
        set: ["26", "33", "35"].contains($0.name) ? ownIron : "BROAD", trial: $0, key: "BROAD",
        isJudge: StudyData.undisturbed.contains($0.name),
        own: OpticalReference([$0], isCalibrated: true).distortion)
    }
  }

  private static func tstick(_ shared: String) throws -> [SetRecording] {
    let folder = shared + "/data/tstick"
    return try rows(folder).map { row in
      let trial = try Trial(path: folder + "/" + row[1], name: row[0])
      return SetRecording(
        set: "T-stick", trial: trial, key: "T-stick", isJudge: row[2] == "T-stick normal",
        own: OpticalReference([trial], isCalibrated: true).distortion)
    }
  }

  /// Each phone of a day. The field that counts as true is the one by the whole recording in which
  /// the phone was turned: along the paths the building bends the field by more than is in
  /// question. Where that recording is too short it is the one by a fit to the optical attitude.
  private static func phones(_ shared: String) throws -> [SetRecording] {
    let folder = shared + "/data/phones"
    let listed = try rows(folder)
    let trials = try parallel(listed.count) { n in
      Result {
        try Trial(packedTable: folder + "/" + listed[n][1], name: listed[n][0]).alignedTruth
      }
    }.map { try $0.get() }
    var recordings: [SetRecording] = []
    for key in Set(listed.map { $0[3] }).sorted() {
      let own = listed.indices.filter { listed[$0][3] == key }
      let hasClean = own.contains { listed[$0][2].contains("clean") }
      let judges = own.filter { !hasClean || listed[$0][2].contains("clean") }
      let turned = try Trial(packedTable: folder + "/" + key, name: key)
      let reference =
        fitted(turned)
        ?? OpticalReference(judges.map { trials[$0] }, isCalibrated: false).distortion
      for n in own {
        recordings.append(
          SetRecording(
            set: "phones", trial: trials[n], key: key, isJudge: judges.contains(n),
            reference: reference, own: reference))
      }
      recordings.append(
        SetRecording(
          set: "phones", trial: turned, key: key, isJudge: false, reference: reference,
          own: reference))
    }
    return recordings
  }

  /// The distortion from a whole recording; nil where its error exceeds 3 degrees.
  private static func fitted(_ trial: Trial) -> DrawnDistortion? {
    do {
      let estimate = try ForwardFit().fit(trial.observations()).estimate
      guard let prediction = HeadingErrorPrediction(estimate),
        prediction.worst(about: trial.restingDown).degrees < 4
      else { return nil }
      return DrawnDistortion(estimate.distortion)
    } catch {
      return nil
    }
  }

  private static func rows(_ folder: String) throws -> [[String]] {
    guard let content = FileManager.default.contents(atPath: folder + "/trials.csv") else {
      throw StudyError("\(folder): no trials.csv here; expected SHARED to be ../shared")
    }
    return String(decoding: content, as: UTF8.self).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// The distortion that fits the field of some trials best, with their optical attitude as known.
struct OpticalReference {
  private(set) var distortion = DrawnDistortion.none

  /// `isCalibrated`: the recorded field is nearly the true one, but for its strength.
  init(_ trials: [Trial], isCalibrated: Bool) {
    var samples: [(field: SIMD3<Double>, truth: Matrix3)] = []
    for trial in trials {
      let seen = trial.field.indices.filter { trial.isJudged[$0] && trial.field[$0] != nil }
      for i in Swift.stride(from: 0, to: seen.count, by: 2) {
        guard let field = trial.field[seen[i]] else { continue }
        let (x, y, z) = trial.truth[seen[i]].rows
        samples.append((field, Matrix3(rows: x, y, z)))
      }
    }
    guard !samples.isEmpty else { return }
    let strength = isCalibrated ? quantile(samples.map { $0.field.length }, 0.5) : 47.5
    var earth = SIMD3(0.45, 0, 0.89) * strength
    var weights = [Double](repeating: 1, count: samples.count)
    for _ in 0..<30 {
      // Shape and offset by least squares, the shape drawn a little to none.
      var normal = Matrix(order: 4)
      var right = Matrix(rows: 4, columns: 3)
      for (s, w) in zip(samples, weights) {
        let v = s.truth.transposed * earth
        let row = [v.x, v.y, v.z, 1]
        for i in 0..<4 {
          for j in 0..<4 { normal[i, j] += w * row[i] * row[j] }
          for k in 0..<3 { right[i, k] += w * row[i] * s.field[k] }
        }
      }
      let pull = (isCalibrated ? 4 : 0.2) * Double(samples.count)
      for i in 0..<3 {
        normal[i, i] += pull
        right[i, i] += pull
      }
      do { try normal.factorizeCholesky() } catch { return }
      normal.solve(into: &right)
      for k in 0..<3 {
        for i in 0..<3 { distortion.shape[k, i] = right[i, k] }
        distortion.offset[k] = right[3, k]
      }
      guard let inverse = distortion.shape.inverse else { return }
      var sum = SIMD3<Double>.zero
      var total = 0.0
      for (n, s) in samples.enumerated() {
        let v = s.truth * (inverse * (s.field - distortion.offset))
        let off = (v - earth).lengthSquared
        weights[n] = 1 / (1 + off / 16)
        sum += v * weights[n]
        total += weights[n]
      }
      // The field's strength is free, and its horizontal direction is north.
      let mean = sum / total
      earth = SIMD3((mean.x * mean.x + mean.y * mean.y).squareRoot(), 0, mean.z)
      earth = earth * (strength / earth.length)
    }
  }
}

extension Trial {
  /// The same with the optical attitude turned to the inertial unit's axes: markers are put on by
  /// hand. The turn is the one that makes the optical angular rate the gyroscope's.
  var alignedTruth: Trial {
    var turned = self
    let span = max(1, Int((0.06 * hertz).rounded()))
    for _ in 0..<3 {
      var normal = Matrix(order: 6)
      var right = Matrix(rows: 6, columns: 1)
      for i in Swift.stride(from: 0, to: count - span, by: span) {
        let seconds = self.seconds[i + span] - self.seconds[i]
        guard seconds > 0, seconds < 0.2, (i...(i + span)).allSatisfy({ isJudged[$0] }) else {
          continue
        }
        let turn = turned.truth[i].inverse * turned.truth[i + span]
        // Of a short turn the antisymmetric part is the turn.
        let (x, y, z) = turn.rows
        let optical: SIMD3<Double> = SIMD3(z.y - y.z, x.z - z.x, y.x - x.y) / (2 * seconds)
        let measured = rate[i..<(i + span)].reduce(.zero, +) / Double(span)
        // measured = optical + turn x optical + bias
        let cross = Matrix3(crossProductWith: optical)
        for k in 0..<3 {
          var row = [0.0, 0, 0, 0, 0, 0]
          for c in 0..<3 { row[c] = -cross[k, c] }
          row[3 + k] = 1
          for a in 0..<6 {
            for b in 0..<6 { normal[a, b] += row[a] * row[b] }
            right[a, 0] += row[a] * (measured[k] - optical[k])
          }
        }
      }
      for k in 0..<6 { normal[k, k] += 1 }
      do { try normal.factorizeCholesky() } catch { return self }
      normal.solve(into: &right)
      let turn = Rotation<BodyFrame, BodyFrame>(
        rotationVector: SIMD3(right[0, 0], right[1, 0], right[2, 0]))
      turned.truth = turned.truth.map { $0 * turn.inverse }
    }
    return turned
  }
}
