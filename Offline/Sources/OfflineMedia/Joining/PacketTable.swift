// SPDX-License-Identifier: Apache-2.0

/// The codecs of the streams of a transport stream, according to the tables in the stream.
///
/// `read` accepts tables that fit into one packet, and finds nothing in damaged tables.
struct PacketTable {
    /// The codecs that this program distinguishes further.
    enum Codec {
        /// MPEG audio, which has one number for each version.
        static let mpegAudio: UInt8 = 0x03
        static let otherMPEGAudio: UInt8 = 0x04
        /// AAC in ADTS.
        static let aac: UInt8 = 0x0f
    }

    private var codecs: [Int: UInt8] = [:]
    private var programs: Set<Int> = []

    /// Returns the number of a stream's codec, or nil if no table states the codec.
    subscript(stream: Int) -> UInt8? { codecs[stream] }

    /// Returns whether a stream consists of tables.
    func isTable(_ stream: Int) -> Bool { stream == 0 || programs.contains(stream) }

    /// Reads the payload of a packet in which a table starts.
    mutating func read(_ payload: UnsafeRawBufferPointer, stream: Int) {
        guard let pointer = payload.first, 1 + Int(pointer) + 3 <= payload.count else { return }
        let table = payload[(1 + Int(pointer))...]
        let bytes = Array(table)
        let length = 3 + (Int(bytes[1] & 0x0f) << 8 | Int(bytes[2]))
        // The last four bytes are a checksum.
        let end = min(length - 4, bytes.count)
        if stream == 0, bytes[0] == 0x00 {
            readPrograms(bytes, to: end)
        } else if bytes[0] == 0x02 {
            readStreams(bytes, to: end)
        }
    }

    private mutating func readPrograms(_ bytes: [UInt8], to end: Int) {
        for place in stride(from: 8, to: end - 3, by: 4) {
            let program = Int(bytes[place]) << 8 | Int(bytes[place + 1])
            let stream = Int(bytes[place + 2] & 0x1f) << 8 | Int(bytes[place + 3])
            if program != 0 { programs.insert(stream) }
        }
    }

    private mutating func readStreams(_ bytes: [UInt8], to end: Int) {
        guard end > 12 else { return }
        var place = 12 + (Int(bytes[10] & 0x0f) << 8 | Int(bytes[11]))
        while place + 5 <= end {
            let stream = Int(bytes[place + 1] & 0x1f) << 8 | Int(bytes[place + 2])
            let codec = bytes[place]
            codecs[stream] = codec == Codec.otherMPEGAudio ? Codec.mpegAudio : codec
            place += 5 + (Int(bytes[place + 3] & 0x0f) << 8 | Int(bytes[place + 4]))
        }
    }
}
