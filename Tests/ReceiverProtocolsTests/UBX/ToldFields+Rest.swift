import Quantities
import ReceiverProtocols

extension ToldFields {
  mutating func tell(_ m: VehicleAttitude) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("roll", m.roll)
    tell("pitch", m.pitch)
    tell("heading", m.heading)
    tell("accRoll", m.rollAccuracy)
    tell("accPitch", m.pitchAccuracy)
    tell("accHeading", m.headingAccuracy)
  }

  mutating func tell(_ m: VehicleDynamics) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(
      "xAngRate", "yAngRate", "zAngRate", times: 1, m.xAngularRate?.degreesPerSecond,
      m.yAngularRate?.degreesPerSecond, m.zAngularRate?.degreesPerSecond)
    tell(
      "xAccel", "yAccel", "zAccel", times: 1, m.xAccelerationMetresPerSecondSquared,
      m.yAccelerationMetresPerSecondSquared, m.zAccelerationMetresPerSecondSquared)
    tell("xAngRateValid", m.xAngularRate != nil)
    tell("yAngRateValid", m.yAngularRate != nil)
    tell("zAngRateValid", m.zAngularRate != nil)
    tell("xAccelValid", m.xAccelerationMetresPerSecondSquared != nil)
    tell("yAccelValid", m.yAccelerationMetresPerSecondSquared != nil)
    tell("zAccelValid", m.zAccelerationMetresPerSecondSquared != nil)
  }

  mutating func tell(_ m: NavSat) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("numSvs", m.satellites.count)
    for (index, s) in m.satellites.enumerated() {
      let n = suffix(index)
      tell("gnssId" + n, s.gnssID)
      tell("svId" + n, s.svID)
      tell("cno" + n, s.signalDecibelHertz ?? 0)
      tell("elev" + n, s.elevationDegrees)
      tell("azim" + n, s.azimuthDegrees)
      tell("prRes" + n, s.residualMetres)
      tell("qualityInd" + n, s.quality.rawValue)
      tell("svUsed" + n, s.isUsed)
      tell("health" + n, s.isHealthy.map { $0 ? 1 : 2 } ?? 0)
      tell("diffCorr" + n, s.hasCorrections)
      tell("smoothed" + n, s.isSmoothed)
      tell("orbitSource" + n, s.orbitSource.rawValue)
      tell(
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

  mutating func tell(_ m: NavSVInfo) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("numCh", m.channels.count)
    tell("chipGen", m.chipGeneration)
    for (index, c) in m.channels.enumerated() {
      let n = suffix(index)
      tell("chn" + n, c.number)
      tell("svid" + n, c.svID)
      tell("cno" + n, c.signalDecibelHertz ?? 0)
      tell("elev" + n, c.elevationDegrees)
      tell("azim" + n, c.azimuthDegrees)
      tell("prRes" + n, times: 1e2, c.residualMetres)
      tell("qualityInd" + n, c.quality.rawValue)
      tell("svUsed" + n, c.isUsed)
      tell("diffCorr" + n, c.hasCorrections)
      tell("orbitAvail" + n, c.hasOrbit)
      tell("orbitEph" + n, c.hasEphemeris)
      tell("unhealthy" + n, c.isUnhealthy)
      tell("orbitAlm" + n, c.hasAlmanac)
      tell("orbitAop" + n, c.hasPrediction)
      tell("smoothed" + n, c.isSmoothed)
    }
  }

  mutating func tell(_ m: NavSig) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("numSigs", m.signals.count)
    for (index, s) in m.signals.enumerated() {
      let n = suffix(index)
      tell("gnssId" + n, s.gnssID)
      tell("svId" + n, s.svID)
      tell("sigId" + n, s.signalID)
      tell("freqId" + n, s.glonassFrequencyNumber.map { $0 + 7 })
      tell("prRes" + n, s.residualMetres)
      tell("cno" + n, s.signalDecibelHertz ?? 0)
      tell("qualityInd" + n, s.quality.rawValue)
      tell("corrSource" + n, s.correctionSource)
      tell("ionoModel" + n, s.ionosphereModel)
      tell("health" + n, s.isHealthy.map { $0 ? 1 : 2 } ?? 0)
      tell("prSmoothed" + n, s.isSmoothed)
      tell("prUsed" + n, s.isUsed)
      tell("crUsed" + n, s.isCarrierUsed)
      tell("doUsed" + n, s.isDopplerUsed)
      tell("prCorrUsed" + n, s.isCorrected)
      tell("crCorrUsed" + n, s.isCarrierCorrected)
      tell("doCorrUsed" + n, s.isDopplerCorrected)
      tell("authStatus" + n, s.isAuthenticated)
    }
  }

  mutating func tell(_ reading: SensorReading, type typeName: String, data dataName: String) {
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
    tell(typeName, type)
    tell(dataName, data.rounded() < 0 ? data.rounded() + 16_777_216 : data.rounded())
  }

  mutating func tell(_ m: EsfMeas) {
    tell("timeTag", m.timeTag)
    tell("timeMarkSent", m.timeMarkInput)
    tell("timeMarkEdge", m.isTimeMarkFalling)
    tell("calibTtagValid", m.receiverTimeMilliseconds != nil)
    tell("numMeas", m.measurements.count)
    tell("id", m.provider)
    for (index, measurement) in m.measurements.enumerated() {
      let n = suffix(index)
      tell(measurement.reading, type: "dataType" + n, data: "dataField" + n)
    }
  }

  mutating func tell(_ m: EsfRaw) {
    for (index, measurement) in m.measurements.enumerated() {
      let n = suffix(index)
      var word = ToldFields()
      word.tell(measurement.reading, type: "type", data: "data")
      let (type, data) = (word.numbers["type"] ?? 0, word.numbers["data"] ?? 0)
      tell("data" + n, type * 16_777_216 + data)
      tell("sTag" + n, measurement.timeTag)
    }
  }

  mutating func tell(_ m: EsfStatus) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("wtInitStatus", m.wheelTicks?.rawValue)
    tell("mntAlgStatus", m.mounting?.rawValue)
    tell("insInitStatus", m.motion?.rawValue)
    tell("imuInitStatus", m.sensorUnit?.rawValue)
    tell("fusionMode", m.mode?.rawValue)
    tell("numSens", m.sensors.count)
    for (index, s) in m.sensors.enumerated() {
      let n = suffix(index)
      tell("type" + n, s.type)
      tell("used" + n, s.isUsed)
      tell("ready" + n, s.isReady)
      tell("calibStatus" + n, s.calibration)
      tell("timeStatus" + n, s.timing)
      tell("freq" + n, s.frequencyHertz)
      tell("badMeas" + n, s.hasBadMeasurements)
      tell("badTTag" + n, s.hasBadTimeTags)
      tell("missingMeas" + n, s.misses)
      tell("noisyMeas" + n, s.isNoisy)
    }
  }

  mutating func tell(_ m: EsfAlg) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("autoMntAlgOn", m.isAutomatic)
    tell("status", m.state?.rawValue)
    tell("tiltAlgError", m.hasTiltError)
    tell("yawAlgError", m.hasYawError)
    tell("angleError", m.hasSingularity)
    tell("yaw", m.yaw)
    tell("pitch", m.pitch)
    tell("roll", m.roll)
  }

  mutating func tell(_ m: TimTP) {
    tell("towMS", m.timeOfWeekMilliseconds)
    tell("towSubMS", times: 1e-6, m.timeOfWeekFractionNanoseconds)
    tell("qErr", m.quantisationErrorPicoseconds)
    tell("qErrInvalid", m.quantisationErrorPicoseconds == nil)
    tell("week", m.week)
    tell("timeBase", m.isUTC)
    tell("utc", m.isUTCAvailable)
    tell("raim", m.isIntegrityMonitored.map { $0 ? 2 : 1 } ?? 0)
    tell("TpNotLocked", !m.isLocked)
    tell("timeRefGnss", m.referenceSystem)
    tell("utcStandard", m.standard)
  }

  private mutating func tell(_ m: UBXRadio, antenna: (String, String), _ n: String) {
    tell("jammingState" + n, m.jamming?.rawValue)
    tell(antenna.0 + n, m.antenna?.rawValue)
    tell(antenna.1 + n, m.isAntennaPowered)
    tell("noisePerMS" + n, m.noisePerMillisecond)
    tell("agcCnt" + n, times: 8191, m.gainFraction)
    tell("jamInd" + n, m.continuousWaveLevel)
  }

  mutating func tell(_ m: MonHW) {
    tell(m.radio, antenna: ("aStatus", "aPower"), "")
    tell("rtcCalib", m.isClockCalibrated)
    tell("safeBoot", m.isSafeBoot)
    tell("xtalAbsent", m.isCrystalAbsent)
    tell("pinSel", m.peripheralPins)
    tell("pinBank", m.bankPins)
    tell("pinDir", m.outputPins)
    tell("pinVal", m.highPins)
    tell("usedMask", m.managedPins)
    tell("pinIrq", m.interruptPins)
    tell("pullH", m.pulledUpPins)
    tell("pullL", m.pulledDownPins)
  }

  mutating func tell(_ m: MonRF) {
    tell("nBlocks", m.paths.count)
    for (index, path) in m.paths.enumerated() {
      let n = suffix(index)
      tell("blockId" + n, path.number)
      tell(path.radio, antenna: ("antStatus", "antPower"), n)
      tell("postStatus" + n, path.selfTest)
      tell("ofsI" + n, path.inPhaseOffset)
      tell("magI" + n, path.inPhaseMagnitude)
      tell("ofsQ" + n, path.quadratureOffset)
      tell("magQ" + n, path.quadratureMagnitude)
    }
  }

  mutating func tell(_ m: CfgPrt) {
    tell("portID", m.port)
    tell("baudRate", m.baudRate)
    tell("charLen", m.dataBits.map { $0 - 5 })
    tell("parity", m.parity.map { $0 == .even ? 0 : $0 == .odd ? 1 : 4 })
    let stopBits: [Double] = [1, 1.5, 2, 0.5]
    tell("nStopBits", m.stopBits.flatMap { stopBits.firstIndex(of: $0) })
    tell("inUBX", m.input.contains(.ubx))
    tell("inNMEA", m.input.contains(.nmea))
    tell("inRTCM", m.input.contains(.rtcm2))
    tell("inRTCM3", m.input.contains(.rtcm3))
    tell("outUBX", m.output.contains(.ubx))
    tell("outNMEA", m.output.contains(.nmea))
    tell("outRTCM3", m.output.contains(.rtcm3))
    tell("extendedTxTimeout", m.hasExtendedTimeout)
    tell(bits: m.transmitReady, [(0, "enable"), (1, "pol")])
    tell("pin", m.transmitReady >> 2 & 31)
    tell("thres", m.transmitReady >> 7)
  }

  mutating func tell(_ m: CfgMsg) {
    tell("msgClass", m.messageClass)
    tell("msgID", m.messageID)
    for (index, name) in ["rateDDC", "rateUART1", "rateUART2", "rateUSB", "rateSPI"].enumerated() {
      tell(name, m.rates[index])
    }
  }

  mutating func tell(_ m: CfgNav5) {
    tell(
      bits: m.mask,
      [
        (0, "dyn"), (1, "minEl"), (2, "posFixMode"), (3, "drLim"), (4, "posMask"), (5, "timeMask"),
        (6, "staticHoldMask"), (7, "dgpsMask"), (8, "cnoThreshold"), (10, "utc"),
      ])
    tell("dynModel", m.dynamicModel?.rawValue)
    tell("fixMode", m.dimensions?.rawValue)
    tell("fixedAlt", m.fixedAltitudeMetres)
    tell("fixedAltVar", m.fixedAltitudeVarianceSquareMetres)
    tell("minElev", m.leastElevationDegrees)
    tell("drLimit", m.deadReckoningLimitSeconds)
    tell("pDop", m.greatestPositionDilution)
    tell("tDop", m.greatestTimeDilution)
    tell("pAcc", m.greatestPositionErrorMetres)
    tell("tAcc", m.greatestTimeErrorMetres)
    tell("staticHoldThresh", times: 1e2, m.staticHoldMetresPerSecond)
    tell("dgnssTimeOut", m.correctionTimeoutSeconds)
    tell("cnoThreshNumSVs", m.strongSatellitesNeeded)
    tell("cnoThresh", m.strongSignalDecibelHertz)
    tell("staticHoldMaxDist", m.staticHoldDistanceMetres)
    tell("utcStandard", m.utcStandard)
  }
}
