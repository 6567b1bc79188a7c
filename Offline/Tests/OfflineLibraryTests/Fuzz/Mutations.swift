// SPDX-License-Identifier: Apache-2.0
import TidingsCoreFixtures

/// Damages a valid document in a way that a seed repeats.
struct Mutations {
    private var random: SplitMix64

    private static let words = [
        "\n", ",", "=", "\"", ":", "@", "<", ">", "/", "&", "{", "]", "\\u0000", "\u{0}",
        "\u{FEFF}", "-1", "0", "1e999", "NaN", "99999999999999999999", "9223372036854775807", "0x",
        "%00", "..",
        "file:///etc/hostname", "http://[::1]:99999/", "💥", "\u{202E}",
    ]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns a document with one to eight changes.
    mutating func damaged(_ document: [UInt8]) -> [UInt8] {
        var bytes = document
        for _ in 0...below(8) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        let end = min(bytes.count, place + below(60))
        switch below(7) {
        case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: word().utf8, at: place)
        case 4: bytes.replaceSubrange(place..<end, with: word().utf8)
        case 5: moveLine(&bytes)
        default: replaceNumber(&bytes, from: place)
        }
    }

    /// Replaces the next digits with another number.
    ///
    /// Most of the arithmetic of a reader concerns numbers.
    private mutating func replaceNumber(_ bytes: inout [UInt8], from place: Int) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        let numbers = [String(next()), String(below(1_000)), word(), "0", "-1", ""]
        bytes.replaceSubrange(start..<end, with: numbers[below(numbers.count)].utf8)
    }

    private mutating func moveLine(_ bytes: inout [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.remove(at: below(lines.count))
        lines.insert(line, at: below(lines.count + 1))
        bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private mutating func word() -> String { Self.words[below(Self.words.count)] }

    private mutating func below(_ limit: Int) -> Int { random.below(limit) }

    private mutating func next() -> UInt64 { random.next() }
}
