// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics

extension SentryEvent {
    /// What keys and context become: short words that servers search by, and the rest.
    struct Sorted {
        var tags: [JSONValue.Member] = []
        var extra: [JSONValue.Member] = []
        fileprivate var names: Set<String> = []
        fileprivate var bytes = 0
    }

    /// Keys that can be tags, and whatever else was said, under names that are not taken.
    var sorted: Sorted {
        var sorted = Sorted()
        if !SentryDate.event(report.date, now: now).isBelievable {
            append("recorded_at", .text(SentryDate.text(report.date)), to: &sorted)
        }
        for (name, value) in report.context.sorted(by: { $0.key < $1.key }) {
            append(name, extra(value), to: &sorted)
        }
        for (name, value) in report.values.sorted(by: { $0.key < $1.key }) {
            if sorted.tags.count < limits.tags, SentryNames.isTag(name), let tag = tag(value) {
                sorted.tags.append(JSONValue.Member(name: name, value: tag))
            } else {
                append(name, extra(value), to: &sorted)
            }
        }
        return sorted
    }

    private func append(_ name: String, _ value: JSONValue, to sorted: inout Sorted) {
        let line = SentryText.line(name, limit: limits.short)
        let wanted = line.isEmpty ? "(no name)" : line
        var name = wanted
        var count = 1
        while sorted.names.contains(name) {
            count += 1
            name = "\(wanted) (\(count))"
        }
        let size = name.utf8.count + value.bytes.count
        guard sorted.extra.count < limits.extra, sorted.bytes + size <= limits.extraBytes else {
            return
        }
        sorted.names.insert(name)
        sorted.bytes += size
        sorted.extra.append(JSONValue.Member(name: name, value: value))
    }

    /// One line that is neither empty nor cut; nil if the value is something else.
    private func tag(_ value: ReportValue) -> JSONValue? {
        let text = value.description
        let line = SentryText.line(text, limit: limits.tag)
        return line == text ? .words(line) : nil
    }

    private func extra(_ value: ReportValue) -> JSONValue {
        switch value {
        case .text(let text): .text(SentryText.lines(text, limit: limits.extraText))
        case .integer(let number) where number.magnitude >> 53 == 0: .integer(number)
        // Those who read JSON as JavaScript does would show another number.
        case .integer(let number): .text("\(number)")
        case .number(let number): .number(number)
        case .flag(let flag): .flag(flag)
        @unknown default: .text(SentryText.lines(value.description, limit: limits.extraText))
        }
    }
}
