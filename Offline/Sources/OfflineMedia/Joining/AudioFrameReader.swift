// SPDX-License-Identifier: Apache-2.0

/// Counts the frames of AAC in ADTS and of MPEG audio, whose bytes arrive in pieces.
///
/// The reader never fails. After bytes that are not a frame, the reader searches for the next
/// frame.
struct AudioFrameReader {
    /// A frame, as described by the header.
    private struct Frame {
        var length: Int
        var samples: Int
        var sampleRate: Int

        var seconds: Double { Double(samples) / Double(sampleRate) }
    }

    /// The number of frames so far.
    private(set) var count = 0
    /// The sum of the durations of these frames in seconds.
    private(set) var seconds = 0.0
    /// The samples per second of the last frame, or nil without a frame.
    private(set) var sampleRate: Int?

    private static let headerLength = 7
    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8_000, 7_350,
    ]

    /// The last bytes read, with the newest byte in the lowest bits.
    private var window: UInt64 = 0
    /// The number of bytes in `window` that belong to the next header.
    private var known = 0
    /// The number of bytes up to the end of the last frame.
    private var rest = 0

    /// Restarts the search at these bytes if a frame seems to start here.
    mutating func align(to bytes: some Collection<UInt8>) {
        let first = Array(bytes.prefix(2))
        guard first.count == 2, first[0] == 0xff, first[1] & 0xe0 == 0xe0 else { return }
        (known, rest) = (0, 0)
    }

    /// Reads the next bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place < bytes.count {
            if rest > 0 {
                let skipped = min(rest, bytes.count - place)
                rest -= skipped
                place += skipped
                continue
            }
            window = window << 8 | UInt64(bytes[place])
            place += 1
            known += 1
            guard known >= Self.headerLength, let frame = Self.frame(window) else { continue }
            count += 1
            seconds += frame.seconds
            sampleRate = frame.sampleRate
            rest = frame.length - Self.headerLength
            known = 0
        }
    }

    /// Returns the frame whose first seven bytes are these, or nil if the bytes do not start a
    /// frame.
    private static func frame(_ window: UInt64) -> Frame? {
        guard window >> 40 & 0xffe0 == 0xffe0 else { return nil }
        let bytes = (0..<headerLength).map { UInt8(truncatingIfNeeded: window >> (8 * (6 - $0))) }
        return bytes[1] & 0xf6 == 0xf0 ? adts(bytes) : mpeg(bytes)
    }

    private static func adts(_ bytes: [UInt8]) -> Frame? {
        let rate = Int(bytes[2] >> 2 & 0xf)
        let length = Int(bytes[3] & 0x3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
        guard rates.indices.contains(rate), length > headerLength else { return nil }
        return Frame(
            length: length,
            samples: 1_024 * (Int(bytes[6] & 0x3) + 1),
            sampleRate: rates[rate]
        )
    }

    private static func mpeg(_ bytes: [UInt8]) -> Frame? {
        let version = bytes[1] >> 3 & 0x3
        let layer = 4 - Int(bytes[1] >> 1 & 0x3)
        let number = Int(bytes[2] >> 4)
        let rate = Int(bytes[2] >> 2 & 0x3)
        guard version != 1, layer < 4, (1...14).contains(number), rate < 3 else { return nil }
        let isFirstVersion = version == 3
        let bits = 1_000 * (isFirstVersion ? firstBitRates[layer - 1] : bitRates[layer - 1])[number]
        let sampleRate =
            [44_100, 48_000, 32_000][rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let samples = layer == 1 ? 384 : layer == 3 && !isFirstVersion ? 576 : 1_152
        let slot = layer == 1 ? 4 : 1
        let padding = Int(bytes[2] >> 1 & 1)
        let length = (samples / 8 / slot * bits / sampleRate + padding) * slot
        guard length > headerLength else { return nil }
        return Frame(length: length, samples: samples, sampleRate: sampleRate)
    }

    /// Kilobits per second by layer, in the first version of the format.
    private static let firstBitRates = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    /// Kilobits per second by layer, in the later versions.
    private static let bitRates = [
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}
