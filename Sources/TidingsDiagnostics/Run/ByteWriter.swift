// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Encodes the fields of a record for ``ByteReader``.
struct ByteWriter {
    /// The length that represents a missing text.
    fileprivate static let none = UInt16.max
    fileprivate static let textLimit = Int(UInt16.max) - 1

    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String?) {
        guard let text else { return append(Self.none) }
        let kept = text.cut(to: Self.textLimit).utf8
        append(UInt16(truncatingIfNeeded: kept.count))
        bytes.append(contentsOf: kept)
    }

    mutating func append(_ date: Date) {
        append(date.timeIntervalSinceReferenceDate.bitPattern)
    }

    mutating func append(_ value: ReportValue) {
        switch value {
        case .text(let text):
            bytes.append(1)
            append(text)
        case .integer(let number):
            bytes.append(2)
            append(Int64(number))
        case .number(let number):
            bytes.append(3)
            append(number.bitPattern)
        case .flag(let flag): bytes.append(flag ? 5 : 4)
        }
    }

    mutating func append(_ attachments: [String: Data]) {
        append(UInt16(clamping: attachments.count))
        for (name, data) in attachments.prefix(Int(UInt16.max)) {
            append(name)
            append(UInt32(clamping: data.count))
            bytes.append(contentsOf: data)
        }
    }

    /// Returns the number of bytes of a named value.
    static func size(of name: String, _ value: ReportValue) -> Int {
        var bytes = ByteWriter(capacity: 64)
        bytes.append(name)
        bytes.append(value)
        return bytes.bytes.count
    }

    mutating func append(_ values: [String: ReportValue]) {
        append(UInt16(clamping: values.count))
        for (name, value) in values.prefix(Int(UInt16.max)) {
            append(name)
            append(value)
        }
    }
}

extension ByteReader {
    /// Reads an optional text, where the outer optional is nil if the text is incomplete.
    mutating func optionalText() -> String?? {
        guard let count = number(UInt16.self) else { return nil }
        if count == ByteWriter.none { return .some(nil) }
        return bytes(Int(count)).map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func text() -> String? {
        optionalText().flatMap(\.self)
    }

    mutating func date() -> Date? {
        number(UInt64.self).map { Date(recorded: $0) }
    }

    mutating func value() -> ReportValue? {
        switch number(UInt8.self) {
        case 1: text().map { .text($0) }
        case 2: number(Int64.self).map { .integer(Int(clamping: $0)) }
        case 3: number(UInt64.self).map { .number(Double(bitPattern: $0)) }
        case 4: .flag(false)
        case 5: .flag(true)
        default: nil
        }
    }

    mutating func values() -> [String: ReportValue]? {
        guard let count = number(UInt16.self) else { return nil }
        var values: [String: ReportValue] = [:]
        for _ in 0..<count {
            guard let name = text(), let value = value() else { return nil }
            values[name] = value
        }
        return values
    }

    mutating func attachments() -> [String: Data]? {
        guard let count = number(UInt16.self) else { return nil }
        var attachments: [String: Data] = [:]
        for _ in 0..<count {
            guard let name = text(), let size = number(UInt32.self), let data = bytes(Int(size))
            else { return nil }
            attachments[name] = Data(data)
        }
        return attachments
    }

    /// Reads a list with a length prefix, or returns nil if the list is incomplete.
    mutating func list<Element>(_ element: (inout ByteReader) -> Element?) -> [Element]? {
        guard let count = number(UInt16.self) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            list.append(next)
        }
        return list
    }
}

extension Date {
    /// Creates a date from stored bits, clamped to the dates that a calendar can represent.
    init(recorded bits: UInt64) {
        let seconds = Double(bitPattern: bits)
        let (first, last) = (-63_113_904_000.0, 252_423_993_599.0)
        self.init(
            timeIntervalSinceReferenceDate: seconds.isNaN ? 0 : min(max(first, seconds), last)
        )
    }
}
