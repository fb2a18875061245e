import Quantities
import ReceiverProtocols

extension FieldValues {
  mutating func add(_ m: VehicleAttitude) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("roll", m.roll)
    add("pitch", m.pitch)
    add("heading", m.heading)
    add("accRoll", m.rollAccuracy)
    add("accPitch", m.pitchAccuracy)
    add("accHeading", m.headingAccuracy)
  }

  mutating func add(_ m: VehicleDynamics) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add(
      "xAngRate", "yAngRate", "zAngRate", times: 1, m.xAngularRate?.degreesPerSecond,
      m.yAngularRate?.degreesPerSecond, m.zAngularRate?.degreesPerSecond)
    add(
      "xAccel", "yAccel", "zAccel", times: 1, m.xAccelerationMetresPerSecondSquared,
      m.yAccelerationMetresPerSecondSquared, m.zAccelerationMetresPerSecondSquared)
    add("xAngRateValid", m.xAngularRate != nil)
    add("yAngRateValid", m.yAngularRate != nil)
    add("zAngRateValid", m.zAngularRate != nil)
    add("xAccelValid", m.xAccelerationMetresPerSecondSquared != nil)
    add("yAccelValid", m.yAccelerationMetresPerSecondSquared != nil)
    add("zAccelValid", m.zAccelerationMetresPerSecondSquared != nil)
  }

  mutating func add(_ m: NavSat) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("numSvs", m.satellites.count)
    for (index, s) in m.satellites.enumerated() {
      let n = suffix(index)
      add("gnssId" + n, s.gnssID)
      add("svId" + n, s.svID)
      add("cno" + n, s.signalDecibelHertz ?? 0)
      add("elev" + n, s.elevationDegrees)
      add("azim" + n, s.azimuthDegrees)
      add("prRes" + n, s.residualMetres)
      add("qualityInd" + n, s.quality.rawValue)
      add("svUsed" + n, s.isUsed)
      add("health" + n, s.isHealthy.map { $0 ? 1 : 2 } ?? 0)
      add("diffCorr" + n, s.hasCorrections)
      add("smoothed" + n, s.isSmoothed)
      add("orbitSource" + n, s.orbitSource.rawValue)
      add(
        bits: s.flags,
        [
          (11, "ephAvail" + n), (12, "almAvail" + n), (13, "anoAvail" + n), (14, "aopAvail" + n),
          (16, "sbasCorrUsed" + n), (17, "rtcmCorrUsed" + n), (18, "slasCorrUsed" + n),
          (19, "spartnCorrUsed" + n), (20, "prCorrUsed" + n), (21, "crCorrUsed" + n),
          (22, "doCorrUsed" + n), (23, "clasCorrUsed" + n), (24, "lppCorrUsed" + n),
          (25, "hasCorrUsed" + n),
        ])
    }
  }

  mutating func add(_ m: NavSVInfo) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("numCh", m.channels.count)
    add("chipGen", m.chipGeneration)
    for (index, c) in m.channels.enumerated() {
      let n = suffix(index)
      add("chn" + n, c.number)
      add("svid" + n, c.svID)
      add("cno" + n, c.signalDecibelHertz ?? 0)
      add("elev" + n, c.elevationDegrees)
      add("azim" + n, c.azimuthDegrees)
      add("prRes" + n, times: 1e2, c.residualMetres)
      add("qualityInd" + n, c.quality.rawValue)
      add("svUsed" + n, c.isUsed)
      add("diffCorr" + n, c.hasCorrections)
      add("orbitAvail" + n, c.hasOrbit)
      add("orbitEph" + n, c.hasEphemeris)
      add("unhealthy" + n, c.isUnhealthy)
      add("orbitAlm" + n, c.hasAlmanac)
      add("orbitAop" + n, c.hasPrediction)
      add("smoothed" + n, c.isSmoothed)
    }
  }

  mutating func add(_ m: NavSig) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("numSigs", m.signals.count)
    for (index, s) in m.signals.enumerated() {
      let n = suffix(index)
      add("gnssId" + n, s.gnssID)
      add("svId" + n, s.svID)
      add("sigId" + n, s.signalID)
      add("freqId" + n, s.glonassFrequencyNumber.map { $0 + 7 })
      add("prRes" + n, s.residualMetres)
      add("cno" + n, s.signalDecibelHertz ?? 0)
      add("qualityInd" + n, s.quality.rawValue)
      add("corrSource" + n, s.correctionSource)
      add("ionoModel" + n, s.ionosphereModel)
      add("health" + n, s.isHealthy.map { $0 ? 1 : 2 } ?? 0)
      add("prSmoothed" + n, s.isSmoothed)
      add("prUsed" + n, s.isUsed)
      add("crUsed" + n, s.isCarrierUsed)
      add("doUsed" + n, s.isDopplerUsed)
      add("prCorrUsed" + n, s.isCorrected)
      add("crCorrUsed" + n, s.isCarrierCorrected)
      add("doCorrUsed" + n, s.isDopplerCorrected)
      add("authStatus" + n, s.isAuthenticated)
    }
  }

  mutating func add(_ reading: SensorReading, type typeName: String, data dataName: String) {
    let (type, data): (Int, Double)
    switch reading {
    case .angularRate(let axis, let rate):
      type = axis == .x ? 14 : axis == .y ? 13 : 5
      data = rate.degreesPerSecond * 4096
    case .specificForce(let axis, let force):
      type = axis == .x ? 16 : axis == .y ? 17 : 18
      data = force * 1024
    case .temperature(let celsius): (type, data) = (12, celsius * 100)
    case .speed(let speed): (type, data) = (11, speed * 1000)
    case .wheelTicks(let wheel, let count, let isBackwards):
      let wheels: [SensorReading.Wheel] = [.frontLeft, .frontRight, .rearLeft, .rearRight, .single]
      type = 6 + (wheels.firstIndex(of: wheel) ?? -6)
      data = Double(count) + (isBackwards ? 8_388_608 : 0)
    case .other(let other, let bits): (type, data) = (Int(other), Double(bits))
    }
    add(typeName, type)
    add(dataName, data.rounded() < 0 ? data.rounded() + 16_777_216 : data.rounded())
  }

  mutating func add(_ m: EsfMeas) {
    add("timeTag", m.timeTag)
    add("timeMarkSent", m.timeMarkInput)
    add("timeMarkEdge", m.isTimeMarkFalling)
    add("calibTtagValid", m.receiverTimeMilliseconds != nil)
    add("numMeas", m.measurements.count)
    add("id", m.provider)
    for (index, measurement) in m.measurements.enumerated() {
      let n = suffix(index)
      add(measurement.reading, type: "dataType" + n, data: "dataField" + n)
    }
  }

  mutating func add(_ m: EsfRaw) {
    for (index, measurement) in m.measurements.enumerated() {
      let n = suffix(index)
      var word = FieldValues()
      word.add(measurement.reading, type: "type", data: "data")
      let (type, data) = (word.numbers["type"] ?? 0, word.numbers["data"] ?? 0)
      add("data" + n, type * 16_777_216 + data)
      add("sTag" + n, measurement.timeTag)
    }
  }

  mutating func add(_ m: EsfStatus) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("wtInitStatus", m.wheelTicks?.rawValue)
    add("mntAlgStatus", m.mounting?.rawValue)
    add("insInitStatus", m.motion?.rawValue)
    add("imuInitStatus", m.sensorUnit?.rawValue)
    add("fusionMode", m.mode?.rawValue)
    add("numSens", m.sensors.count)
    for (index, s) in m.sensors.enumerated() {
      let n = suffix(index)
      add("type" + n, s.type)
      add("used" + n, s.isUsed)
      add("ready" + n, s.isReady)
      add("calibStatus" + n, s.calibration)
      add("timeStatus" + n, s.timing)
      add("freq" + n, s.frequencyHertz)
      add("badMeas" + n, s.hasBadMeasurements)
      add("badTTag" + n, s.hasBadTimeTags)
      add("missingMeas" + n, s.misses)
      add("noisyMeas" + n, s.isNoisy)
    }
  }

  mutating func add(_ m: EsfAlg) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("autoMntAlgOn", m.isAutomatic)
    add("status", m.state?.rawValue)
    add("tiltAlgError", m.hasTiltError)
    add("yawAlgError", m.hasYawError)
    add("angleError", m.hasSingularity)
    add("yaw", m.yaw)
    add("pitch", m.pitch)
    add("roll", m.roll)
  }

  mutating func add(_ m: TimTP) {
    add("towMS", m.timeOfWeekMilliseconds)
    add("towSubMS", times: 1e-6, m.timeOfWeekFractionNanoseconds)
    add("qErr", m.quantisationErrorPicoseconds)
    add("qErrInvalid", m.quantisationErrorPicoseconds == nil)
    add("week", m.week)
    add("timeBase", m.isUTC)
    add("utc", m.isUTCAvailable)
    add("raim", m.isIntegrityMonitored.map { $0 ? 2 : 1 } ?? 0)
    add("TpNotLocked", !m.isLocked)
    add("timeRefGnss", m.referenceSystem)
    add("utcStandard", m.standard)
  }

  private mutating func add(_ m: UBXRadio, antenna: (String, String), _ n: String) {
    add("jammingState" + n, m.jamming?.rawValue)
    add(antenna.0 + n, m.antenna?.rawValue)
    add(antenna.1 + n, m.isAntennaPowered)
    add("noisePerMS" + n, m.noisePerMillisecond)
    add("agcCnt" + n, times: 8191, m.gainFraction)
    add("jamInd" + n, m.continuousWaveLevel)
  }

  mutating func add(_ m: MonHW) {
    add(m.radio, antenna: ("aStatus", "aPower"), "")
    add("rtcCalib", m.isClockCalibrated)
    add("safeBoot", m.isSafeBoot)
    add("xtalAbsent", m.isCrystalAbsent)
    add("pinSel", m.peripheralPins)
    add("pinBank", m.bankPins)
    add("pinDir", m.outputPins)
    add("pinVal", m.highPins)
    add("usedMask", m.managedPins)
    add("pinIrq", m.interruptPins)
    add("pullH", m.pulledUpPins)
    add("pullL", m.pulledDownPins)
  }

  mutating func add(_ m: MonRF) {
    add("nBlocks", m.paths.count)
    for (index, path) in m.paths.enumerated() {
      let n = suffix(index)
      add("blockId" + n, path.number)
      add(path.radio, antenna: ("antStatus", "antPower"), n)
      add("postStatus" + n, path.selfTest)
      add("ofsI" + n, path.inPhaseOffset)
      add("magI" + n, path.inPhaseMagnitude)
      add("ofsQ" + n, path.quadratureOffset)
      add("magQ" + n, path.quadratureMagnitude)
    }
  }

  mutating func add(_ m: CfgPrt) {
    add("portID", m.port)
    add("baudRate", m.baudRate)
    add("charLen", m.dataBits.map { $0 - 5 })
    add("parity", m.parity.map { $0 == .even ? 0 : $0 == .odd ? 1 : 4 })
    let stopBits: [Double] = [1, 1.5, 2, 0.5]
    add("nStopBits", m.stopBits.flatMap { stopBits.firstIndex(of: $0) })
    add("inUBX", m.input.contains(.ubx))
    add("inNMEA", m.input.contains(.nmea))
    add("inRTCM", m.input.contains(.rtcm2))
    add("inRTCM3", m.input.contains(.rtcm3))
    add("outUBX", m.output.contains(.ubx))
    add("outNMEA", m.output.contains(.nmea))
    add("outRTCM3", m.output.contains(.rtcm3))
    add("extendedTxTimeout", m.hasExtendedTimeout)
    add(bits: m.transmitReady, [(0, "enable"), (1, "pol")])
    add("pin", m.transmitReady >> 2 & 31)
    add("thres", m.transmitReady >> 7)
  }

  mutating func add(_ m: CfgMsg) {
    add("msgClass", m.messageClass)
    add("msgID", m.messageID)
    for (index, name) in ["rateDDC", "rateUART1", "rateUART2", "rateUSB", "rateSPI"].enumerated() {
      add(name, m.rates[index])
    }
  }

  mutating func add(_ m: CfgNav5) {
    add(
      bits: m.mask,
      [
        (0, "dyn"), (1, "minEl"), (2, "posFixMode"), (3, "drLim"), (4, "posMask"), (5, "timeMask"),
        (6, "staticHoldMask"), (7, "dgpsMask"), (8, "cnoThreshold"), (10, "utc"),
      ])
    add("dynModel", m.dynamicModel?.rawValue)
    add("fixMode", m.dimensions?.rawValue)
    add("fixedAlt", m.fixedAltitudeMetres)
    add("fixedAltVar", m.fixedAltitudeVarianceSquareMetres)
    add("minElev", m.leastElevationDegrees)
    add("drLimit", m.deadReckoningLimitSeconds)
    add("pDop", m.greatestPositionDilution)
    add("tDop", m.greatestTimeDilution)
    add("pAcc", m.greatestPositionErrorMetres)
    add("tAcc", m.greatestTimeErrorMetres)
    add("staticHoldThresh", times: 1e2, m.staticHoldMetresPerSecond)
    add("dgnssTimeOut", m.correctionTimeoutSeconds)
    add("cnoThreshNumSVs", m.strongSatellitesNeeded)
    add("cnoThresh", m.strongSignalDecibelHertz)
    add("staticHoldMaxDist", m.staticHoldDistanceMetres)
    add("utcStandard", m.utcStandard)
  }
}
