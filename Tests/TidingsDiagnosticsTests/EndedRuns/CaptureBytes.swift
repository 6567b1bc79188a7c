// SPDX-License-Identifier: Apache-2.0

/// A capture in the signal handler's format, for tests of the decoder.
struct CaptureBytes {
    struct Mapping {
        var start: UInt64
        var end: UInt64
        var base: UInt64
        var build: [UInt8] = [10, 0, 255]
        var path: String
    }

    var flags: UInt32 = 1
    var signal: [Int32] = [11, 1, 0, 7, 8, 0, 0, 0]
    var address: UInt64 = 16
    var registers: [UInt64] = [1, 2, 3]
    var frames: [UInt64] = [0x1000, 0, 0x2000, 1]
    var candidates: [UInt64] = [0x3000]
    /// The address of the stack's top.
    ///
    /// The next two properties have the indices of the candidates, and pairs of frame pointers with
    /// the records at these pointers.
    var top: UInt64 = 0x7000
    var places: [UInt16] = []
    var links: [UInt16] = []
    var mappings = [
        Mapping(start: 0x1000, end: 0x4000, base: 0x800, path: "/usr/bin/films")
    ]
    var text: String?
    var abortMessage: String?

    var bytes: [UInt8] {
        var bytes = Array("TIDCRSH1".utf8) + Self.bytes(of: UInt32(1)) + Self.bytes(of: flags)
        bytes += Self.section(
            1,
            signal.flatMap { Self.bytes(of: $0) } + Self.bytes(of: address)
                + Self.bytes(of: Int64(1_000)) + Self.bytes(of: Int64(5))
        )
        bytes += Self.section(2, registers.flatMap { Self.bytes(of: $0) })
        bytes += Self.section(3, Array("worker".utf8))
        bytes += Self.section(4, frames.flatMap { Self.bytes(of: $0) })
        bytes += Self.section(5, candidates.flatMap { Self.bytes(of: $0) })
        bytes += Self.section(6, mappings.flatMap(\.bytes))
        let places = places.flatMap { Self.bytes(of: $0) }
        bytes += Self.section(10, Self.bytes(of: top) + places)
        bytes += Self.section(11, links.flatMap { Self.bytes(of: $0) })
        if let text {
            var ring = Array(text.utf8)
            let count = Self.bytes(of: UInt32(ring.count))
            ring += [UInt8](repeating: 0, count: (16 << 10) - ring.count)
            bytes += Self.section(7, count + ring)
        }
        if let abortMessage { bytes += Self.section(8, Array(abortMessage.utf8)) }
        return bytes
    }

    static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    static func section(_ kind: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let checksum = payload.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return bytes(of: kind) + bytes(of: UInt32(payload.count)) + bytes(of: checksum)
            + bytes(of: UInt32(0)) + payload
    }
}

extension CaptureBytes.Mapping {
    fileprivate var bytes: [UInt8] {
        let name = Array(path.utf8)
        var bytes = [start, end, 0, base].flatMap { CaptureBytes.bytes(of: $0) }
        bytes += CaptureBytes.bytes(of: UInt32(name.count))
        bytes += CaptureBytes.bytes(of: UInt32(build.count))
        bytes += build + [UInt8](repeating: 0, count: 32 - build.count) + name
        return bytes + [UInt8](repeating: 0, count: (8 - name.count % 8) % 8)
    }
}
