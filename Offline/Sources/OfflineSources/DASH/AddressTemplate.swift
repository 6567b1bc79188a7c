// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// An address with places for the values of a segment, such as `$RepresentationID$/$Number%05d$`.
struct AddressTemplate: Hashable, Sendable {
    /// A value that differs from one segment or rendition to another.
    private enum Value: String {
        case representation = "RepresentationID"
        case number = "Number"
        case time = "Time"
        case bandwidth = "Bandwidth"
    }

    private enum Piece: Hashable {
        case text(Substring)
        case value(Value, width: Int)
    }

    private static let longestNumber = 20

    private var pieces: [Piece] = []

    /// Whether each segment has a separate address.
    var isNumbered: Bool {
        pieces.contains {
            guard case .value(let value, _) = $0 else { return false }
            return value == .number || value == .time
        }
    }

    /// Parses a template.
    ///
    /// - Throws: `.invalid` for an unknown value.
    init(_ text: String) throws(PlaylistError) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1, parts.count <= 64 else { throw Self.invalid }
        for (index, part) in parts.enumerated() {
            if index % 2 == 0 {
                pieces.append(.text(part))
            } else {
                pieces.append(part.isEmpty ? .text("$") : try Self.value(part))
            }
        }
    }

    /// Returns the address of a segment.
    func address(
        representation: String,
        bandwidth: Int,
        number: Int = 0,
        time: Int = 0
    ) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): String(text)
            case .value(.representation, _): representation
            case .value(.bandwidth, let width): Self.padded(bandwidth, width)
            case .value(.number, let width): Self.padded(number, width)
            case .value(.time, let width): Self.padded(time, width)
            }
        }.joined()
    }

    private static func value(_ text: Substring) throws(PlaylistError) -> Piece {
        let halves = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let value = Value(rawValue: String(halves[0])) else {
            throw invalid
        }
        guard halves.count == 2 else { return .value(value, width: 1) }
        guard halves[1].hasPrefix("0"), halves[1].hasSuffix("d"), value != .representation,
            let width = DecimalNumber.integer(halves[1].dropFirst().dropLast()),
            (1...longestNumber).contains(width)
        else { throw invalid }
        return .value(value, width: width)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static let invalid = PlaylistError.manifest("an address template is damaged")
}
