// SPDX-License-Identifier: Apache-2.0

/// The decision whether a download is stalled, based on the received bytes of each second.
struct StallMeter: Hashable, Sendable {
    /// The number of seconds over which the rate counts.
    static let window = 10
    /// The rate in bytes per second below which a download is stalled.
    ///
    /// A telephone modem is faster.
    static let leastRate: Int64 = 4_096

    private var samples: [Int64] = []

    /// Whether the download has received almost nothing during the last seconds.
    private(set) var isStalled = false

    /// Records the received bytes after one more second.
    ///
    /// - Parameters:
    ///   - receivedBytes: The bytes since the start of the download.
    ///   - isRetrying: Whether the download waits for its next attempt.
    mutating func measure(_ receivedBytes: Int64, isRetrying: Bool) {
        // A download that starts over has fewer bytes than before.
        if let last = samples.last, receivedBytes < last { samples = [] }
        samples.append(receivedBytes)
        if samples.count > Self.window + 1 { samples.removeFirst() }
        let received = receivedBytes - (samples.first ?? 0)
        let isSlow = samples.count > Self.window && received < Self.leastRate * Int64(Self.window)
        isStalled = isRetrying || isSlow
    }

    /// Drops the samples while the rate of the download does not depend on the server.
    ///
    /// - Parameter isRetrying: Whether the download waits for its next attempt.
    mutating func reset(isRetrying: Bool = false) {
        self = StallMeter()
        isStalled = isRetrying
    }
}
