// SPDX-License-Identifier: Apache-2.0
internal import TidingsDiagnostics

extension SentryEvent {
    /// The searchable tags of an event, and the remaining values as extra data.
    struct TagsAndExtra {
        var tags: [JSONValue.Member] = []
        var extra: [JSONValue.Member] = []
        fileprivate var names: Set<String> = []
        fileprivate var bytes = 0
    }

    /// The values that are valid tags, and all other values and the context under unique names.
    var tagsAndExtra: TagsAndExtra {
        var result = TagsAndExtra()
        if !SentryDate.event(report.date, now: now).isAccepted {
            append("recorded_at", .text(SentryDate.text(report.date)), to: &result)
        }
        for (name, value) in report.context.sorted(by: { $0.key < $1.key }) {
            append(name, extra(value), to: &result)
        }
        for (name, value) in report.values.sorted(by: { $0.key < $1.key }) {
            if result.tags.count < limits.tags, SentryNames.isTag(name), let tag = tag(value) {
                result.tags.append(JSONValue.Member(name: name, value: tag))
            } else {
                append(name, extra(value), to: &result)
            }
        }
        return result
    }

    private func append(_ name: String, _ value: JSONValue, to result: inout TagsAndExtra) {
        let line = SentryText.line(name, limit: limits.short)
        let base = line.isEmpty ? "(no name)" : line
        var name = base
        var count = 1
        while result.names.contains(name) {
            count += 1
            name = "\(base) (\(count))"
        }
        let size = name.utf8.count + value.bytes.count
        guard result.extra.count < limits.extra, result.bytes + size <= limits.extraBytes else {
            return
        }
        result.names.insert(name)
        result.bytes += size
        result.extra.append(JSONValue.Member(name: name, value: value))
    }

    /// Returns the value if it is one nonempty line within the limit, or nil otherwise.
    private func tag(_ value: ReportValue) -> JSONValue? {
        let text = value.description
        let line = SentryText.line(text, limit: limits.tag)
        return line == text ? .nonEmptyText(line) : nil
    }

    func extra(_ value: ReportValue) -> JSONValue {
        switch value {
        case .text(let text): .text(SentryText.lines(text, limit: limits.extraText))
        case .integer(let number) where number.magnitude >> 53 == 0: .integer(number)
        // Parsers that read numbers like JavaScript would round the integer.
        case .integer(let number): .text("\(number)")
        case .number(let number): .number(number)
        case .flag(let flag): .flag(flag)
        @unknown default: .text(SentryText.lines(value.description, limit: limits.extraText))
        }
    }
}
