// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The progress of a download as one line of a terminal.
enum ProgressLine {
    private static let barWidth = 24

    static func text(_ item: ItemRepresentation) -> String {
        if let waiting = item.waiting { return Terminal.clean(waiting) }
        let parts: [String?] = [bar(item), amount(item), speed(item), rest(item)]
        return "\(label(item)) " + parts.compactMap { $0 }.joined(separator: "  ")
    }

    private static func label(_ item: ItemRepresentation) -> String {
        switch item.state {
        case .queued: "Queued"
        case .fetchingPlaylist: "Reading the playlist"
        case .fetching: "Fetching"
        case .muxing: "Joining"
        case .verifying: "Checking"
        case .ready: "Ready"
        case .failed: "Failed"
        case .missing: "Missing"
        }
    }

    private static func bar(_ item: ItemRepresentation) -> String? {
        guard let fraction = item.muxedFraction ?? item.fraction else { return nil }
        let full = Int(fraction * Double(barWidth))
        let bar =
            String(repeating: "█", count: full) + String(repeating: "░", count: barWidth - full)
        return "\(bar) \(Format.percent(fraction))"
    }

    private static func amount(_ item: ItemRepresentation) -> String? {
        if let done = item.doneSegments, let total = item.totalSegments, item.state == .fetching {
            return "\(done) of \(total) segments, \(Format.bytes(item.receivedBytes ?? 0))"
        }
        guard let received = item.receivedBytes, item.state == .fetching else { return nil }
        guard let total = item.totalBytes else { return Format.bytes(received) }
        return "\(Format.bytes(received)) of \(Format.bytes(total))"
    }

    private static func speed(_ item: ItemRepresentation) -> String? {
        guard item.state == .fetching, let speed = item.bytesPerSecond else { return nil }
        return "\(Format.bytes(Int64(speed)))/s"
    }

    private static func rest(_ item: ItemRepresentation) -> String? {
        guard item.state == .fetching, let seconds = item.remainingSeconds else { return nil }
        return "\(PlayTime.text(seconds)) left"
    }
}
