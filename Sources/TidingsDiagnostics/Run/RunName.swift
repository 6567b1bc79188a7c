// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The name of a run's folder: start time, process and a random suffix.
enum RunName {
    /// The prefix of a folder that is being created.
    static let newPrefix = ".new-"
    /// The prefix of a folder that is being deleted.
    static let oldPrefix = ".old-"

    static func make(_ metadata: RunMetadata) -> String {
        let seconds = metadata.started.timeIntervalSince1970
        let milliseconds = UInt64(min(max(0, seconds), 99_999_999_999) * 1_000)
        let random = UInt32.random(in: .min ... .max)
        return [
            padded("\(milliseconds)", 14), "\(metadata.process)",
            padded(String(random, radix: 16), 8),
        ].joined(separator: "-")
    }

    /// Whether a name has this format.
    ///
    /// Names sort by start time.
    static func isValid(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 14, (1...10).contains(parts[1].count),
            parts[2].count == 8
        else { return false }
        return parts[0].allSatisfy(\.isDigit) && parts[1].allSatisfy(\.isDigit)
            && parts[2].allSatisfy { $0.isDigit || (0x61...0x66).contains($0) }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
