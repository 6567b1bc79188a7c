// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import TidingsHTTP

/// A kind of values: how the program reads a value, and which values a shell offers.
struct ValueKind<Value> {
    /// The word for a value in the help, such as `NUMBER`.
    var placeholder: String
    /// The error for a missing argument, or nil for the form of the command.
    var missing: String?
    var offered: Offered?
    let read: (String) throws -> Value
}

extension ValueKind<String> {
    /// Any text.
    static func text(
        _ placeholder: String,
        offered words: [String] = [],
        missing: String? = nil
    ) -> ValueKind {
        ValueKind(
            placeholder: placeholder,
            missing: missing,
            offered: words.isEmpty ? nil : .words(words)
        ) { $0 }
    }

    /// The path of a file or a folder.
    static func path(_ placeholder: String) -> ValueKind {
        ValueKind(placeholder: placeholder, offered: .files) { path in
            guard !path.isEmpty else {
                throw UsageError("The path is empty. Use the path of a file or a folder.")
            }
            return path
        }
    }
}

extension ValueKind where Value: FixedWidthInteger {
    /// A number in a range.
    static func number(_ placeholder: String, in range: ClosedRange<Value>) -> ValueKind {
        ValueKind(placeholder: placeholder) { text in
            guard let number = Value(text), range.contains(number) else {
                throw UsageError(
                    "“\(text)” cannot be used. Use a number from \(range.lowerBound) to "
                        + "\(range.upperBound)."
                )
            }
            return number
        }
    }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words of an enumeration.
    static func choice(
        _ placeholder: String,
        of cases: [Value] = Array(Value.allCases)
    ) -> ValueKind {
        let words = cases.map(\.rawValue)
        let remedy = "Use \(UsageError.list(words))."
        return ValueKind(
            placeholder: placeholder,
            missing: "The choice is missing. \(remedy)",
            offered: .words(words)
        ) { text in
            guard let index = words.firstIndex(of: text) else {
                throw UsageError("Unknown choice “\(text)”. \(remedy)")
            }
            return cases[index]
        }
    }
}

extension ValueKind<Double> {
    /// A time in seconds.
    static var duration: ValueKind {
        ValueKind(placeholder: "TIME", offered: .words(["30m", "1h", "2h"])) { text in
            guard let seconds = LiveRecording.seconds(text) else {
                throw UsageError(
                    "“\(text)” is not a time. Use a time such as 90s, 30m, 2h or 1h30m."
                )
            }
            return seconds
        }
    }
}

extension ValueKind<WebAddress> {
    static var address: ValueKind { ValueKind(placeholder: "ADDRESS") { try WebAddress($0) } }
}

extension ValueKind<ItemID> {
    static var item: ValueKind {
        identifier("an item number", "The item's number", shownBy: "list", offered: .items)
    }
}

extension ValueKind<FeedID> {
    static var feed: ValueKind {
        identifier(
            "the number of a feed",
            "The feed's number",
            shownBy: "following",
            offered: .feeds
        )
    }
}

extension ValueKind {
    fileprivate static func identifier<Subject>(
        _ meaning: String,
        _ subject: String,
        shownBy command: String,
        offered: Offered
    ) -> ValueKind where Value == Identifier<Subject> {
        let remedy = "`offline \(command)` shows the numbers."
        return ValueKind(
            placeholder: "NUMBER",
            missing: "\(subject) is missing. \(remedy)",
            offered: offered
        ) { text in
            guard let id = Identifier<Subject>(text) else {
                throw UsageError("“\(text)” is not \(meaning). \(remedy)")
            }
            return id
        }
    }
}

extension ValueKind<CollectionName> {
    static var collection: ValueKind {
        ValueKind(
            placeholder: "NAME",
            missing:
                "The name of the collection is missing. `offline collections` lists the names.",
            offered: .collections
        ) { try CollectionName($0) }
    }
}
