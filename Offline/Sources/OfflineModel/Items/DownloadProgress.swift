// SPDX-License-Identifier: Apache-2.0

/// The progress of a running download, in memory only.
package struct DownloadProgress: Hashable, Sendable {
    /// The number of received bytes, including the bytes of earlier runs.
    package var receivedBytes: Int64 = 0
    /// The size of the file, or nil for a stream and for a server that did not announce the size.
    package var totalBytes: Int64?
    /// The number of complete segments, or nil for a file.
    package var doneSegments: Int?
    /// The number of segments of the stream, or nil for a file.
    package var totalSegments: Int?
    /// The recorded time of a live stream in seconds, or nil for media that end.
    package var recordedSeconds: Double?
    /// The muxed fraction of the segments, from 0 to 1, or nil before the muxing.
    package var muxedFraction: Double?
    /// The speed over the last five seconds, or nil if unknown.
    package var bytesPerSecond: Double?
    /// The reason of a wait, such as the next retry, or nil during a transfer.
    package var waiting: String?

    /// Creates the progress of a download without received bytes.
    package init() {}

    /// The received fraction, from 0 to 1, or nil without a known total.
    package var fraction: Double? {
        if let totalBytes, totalBytes > 0 {
            return min(1, Double(receivedBytes) / Double(totalBytes))
        }
        if let doneSegments, let totalSegments, totalSegments > 0 {
            return Double(doneSegments) / Double(totalSegments)
        }
        return nil
    }

    /// The estimated seconds to the end at the current speed, or nil if unknown.
    package var remainingSeconds: Double? {
        guard let bytesPerSecond, bytesPerSecond > 0, let fraction, fraction > 0 else { return nil }
        if let totalBytes { return Double(totalBytes - receivedBytes) / bytesPerSecond }
        let expected = Double(receivedBytes) / fraction
        return (expected - Double(receivedBytes)) / bytesPerSecond
    }
}
