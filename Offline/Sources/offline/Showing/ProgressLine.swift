// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The progress of a download as one line of a terminal.
enum ProgressLine {
    private static let widths = 8...24

    /// Returns the line, which has at most `width` columns.
    ///
    /// In a narrow terminal the bar shrinks first. Then the line omits the remaining time and the
    /// speed.
    static func text(_ item: ItemRepresentation, width: Int) -> String {
        let reason = item.waiting ?? (item.state == .paused ? item.error?.message : nil)
        if let reason { return Columns.prefix(Terminal.clean(reason), width) }
        var facts = [amount(item), speed(item), rest(item)].compactMap { $0 }
        while true {
            let percent = fraction(item).map { [Format.percent($0)] } ?? []
            let parts = (percent + facts).joined(separator: "  ")
            let line = parts.isEmpty ? label(item) : "\(label(item)) \(parts)"
            let free = width - Columns.count(line)
            if free >= 0 {
                guard let fraction = fraction(item), free > widths.lowerBound else { return line }
                let bar = bar(fraction, width: min(free - 1, widths.upperBound))
                return "\(label(item)) \(bar) \(parts)"
            }
            guard facts.popLast() != nil else { return Columns.prefix(line, width) }
        }
    }

    private static func label(_ item: ItemRepresentation) -> String {
        let words = item.stateWords
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func fraction(_ item: ItemRepresentation) -> Double? {
        item.muxedFraction ?? item.fraction
    }

    private static func bar(_ fraction: Double, width: Int) -> String {
        let full = Int(fraction * Double(width))
        return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
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
