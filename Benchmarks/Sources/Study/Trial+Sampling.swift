import Quantities
import RecordedTrials

/// Other rates of samples.
extension Trial {
  /// The samples with these indices, in their order.
  public func samples<Indices: Sequence<Int>>(_ indices: Indices) -> Trial {
    var t = Trial(name: name, hertz: hertz)
    for i in indices {
      t.seconds.append(seconds[i])
      t.rate.append(rate[i])
      t.force.append(force[i])
      t.field.append(field[i])
      t.truth.append(truth[i])
      t.isJudged.append(isJudged[i])
    }
    return t
  }

  /// A chip that gives the mean of so many samples.
  public func averaged(_ n: Int) -> Trial {
    let ends = Array(stride(from: n - 1, to: count, by: n))
    var t = samples(ends)
    t.hertz = hertz / Double(n)
    for (k, end) in ends.enumerated() {
      let part = (end - n + 1)...end
      t.rate[k] = rate[part].reduce(.zero, +) / Double(n)
      t.force[k] = force[part].reduce(.zero, +) / Double(n)
      let fields = field[part].compactMap { $0 }
      t.field[k] = fields.isEmpty ? nil : fields.reduce(.zero, +) / Double(fields.count)
    }
    return t
  }

  /// A reader that takes each n-th sample and loses the others.
  public func every(_ n: Int) -> Trial {
    var t = samples(stride(from: 0, to: count, by: n))
    t.hertz = hertz / Double(n)
    return t
  }

  /// A magnetometer that is slower than the gyroscope.
  public func fieldEvery(_ n: Int) -> Trial {
    var t = self
    for i in 0..<count where i % n != 0 { t.field[i] = nil }
    return t
  }

  /// A magnetometer that is silent from the middle of the trial on for so long.
  public func withoutField(seconds silence: Double) -> Trial {
    var t = self
    let middle = duration / 2
    for i in 0..<count where seconds[i] >= middle && seconds[i] < middle + silence {
      t.field[i] = nil
    }
    return t
  }

  /// The filter is switched on in the midst of the motion, and judged after `grace`.
  public func starting(at fraction: Double, grace: Double) -> Trial {
    let first = Int(Double(count) * fraction)
    var t = samples(first..<count)
    for i in 0..<t.count {
      t.seconds[i] -= seconds[first]
      if t.seconds[i] < grace { t.isJudged[i] = false }
    }
    return t
  }

  /// The first so many seconds.
  public func first(seconds: Double) -> Trial {
    samples(0..<min(count, Int(seconds * hertz)))
  }
}
