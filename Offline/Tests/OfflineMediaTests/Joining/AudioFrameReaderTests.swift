// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing

@testable import OfflineMedia

/// Tests that the counts of frames agree with ffprobe.
@Suite(.timeLimit(.minutes(15)))
struct AudioFrameReaderTests {
    private let folder: MediaFolder

    init() throws {
        folder = try MediaFolder()
    }

    /// Returns the bytes of two seconds of sound.
    private func makeSound(_ name: String, _ options: [String]) async throws -> [UInt8] {
        let source = ["-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=440"]
        let tags = name.hasSuffix("mp3") ? ["-write_xing", "0", "-id3v2_version", "0"] : []
        try await folder.run("ffmpeg", source + ["-t", "2"] + tags + options + [name])
        return try folder.bytes(name)
    }

    private func read(_ bytes: [UInt8], by length: Int) -> AudioFrameReader {
        var reader = AudioFrameReader()
        for start in stride(from: 0, to: bytes.count, by: length) {
            bytes[start..<min(start + length, bytes.count)].withUnsafeBytes { reader.read($0) }
        }
        return reader
    }

    @Test(arguments: [
        ("a.aac", ["-c:a", "aac"], 44_100), ("a.aac", ["-c:a", "aac", "-ar", "24000"], 24_000),
        ("a.mp3", ["-c:a", "libmp3lame"], 44_100),
        ("a.mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-ar", "22050"], 22_050),
        ("a.mp3", ["-c:a", "libmp3lame", "-b:a", "16k", "-ar", "8000"], 8_000),
        ("a.mp2", ["-c:a", "mp2", "-ar", "48000"], 48_000),
    ])
    func everyFrameIsCounted(name: String, options: [String], rate: Int) async throws {
        let bytes = try await makeSound(name, options)
        let expected = try await folder.packets(folder.file(name))["audio"]
        for length in [bytes.count, 184, 5] {
            let reader = read(bytes, by: length)
            #expect(reader.count == expected)
            #expect(reader.sampleRate == rate)
            #expect(abs(reader.seconds - 2) < 0.2, "\(reader.seconds)")
        }
    }

    @Test func afterForeignBytesTheNextFrameIsFound() async throws {
        let bytes = try await makeSound("a.aac", ["-c:a", "aac"])
        let whole = read(bytes, by: bytes.count)
        let damaged = [UInt8](repeating: 0x55, count: 500) + bytes.dropFirst(20)
        #expect(read(damaged, by: 184).count >= whole.count - 2)
        #expect(read([0xff, 0xf1, 0xff], by: 1).count == 0)
    }
}
