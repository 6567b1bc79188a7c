// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The progress of a download as one line of a terminal.
enum ProgressLine {
    private static let barWidth = 24

    static func text(_ item: ItemRepresentation) -> String {
        let reason = item.waiting ?? (item.state == .paused ? item.error?.message : nil)
        if let reason { return Terminal.clean(reason) }
        let parts: [String?] = [bar(item), amount(item), speed(item), rest(item)]
        return "\(label(item)) " + parts.compactMap { $0 }.joined(separator: "  ")
    }

    private static func label(_ item: ItemRepresentation) -> String {
        let words = item.stateWords
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func bar(_ item: ItemRepresentation) -> String? {
        guard let fraction = item.muxedFraction ?? item.fraction else { return nil }
        let full = Int(fraction * Double(barWidth))
        let bar =
            String(repeating: "█", count: full) + String(repeating: "░", count: barWidth - full)
        return "\(bar) \(Format.percent(fraction))"
    }

    private static func amount(_ item: ItemRepresentation) -> String? {
        if let seconds = item.recordedSeconds, item.state == .fetching {
            let done = item.doneSegments ?? 0
            let amount = ByteCount.text(item.receivedBytes ?? 0)
            return "\(PlayTime.text(seconds))  \(done) segments, \(amount)"
        }
        if let done = item.doneSegments, let total = item.totalSegments, item.state == .fetching {
            return "\(done) of \(total) segments, \(ByteCount.text(item.receivedBytes ?? 0))"
        }
        guard let received = item.receivedBytes, item.state == .fetching else { return nil }
        guard let total = item.totalBytes else { return ByteCount.text(received) }
        return "\(ByteCount.text(received)) of \(ByteCount.text(total))"
    }

    private static func speed(_ item: ItemRepresentation) -> String? {
        guard item.state == .fetching, let speed = item.bytesPerSecond else { return nil }
        return "\(ByteCount.text(Int64(speed)))/s"
    }

    private static func rest(_ item: ItemRepresentation) -> String? {
        guard item.state == .fetching, let seconds = item.remainingSeconds else { return nil }
        return "\(PlayTime.text(seconds)) left"
    }
}
