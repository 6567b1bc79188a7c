// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineMedia
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct ContentSnifferTests {
    private static func box(_ name: String, _ brand: String = "isom") -> [UInt8] {
        [0, 0, 0, 24] + [UInt8](name.utf8) + [UInt8](brand.utf8) + [0, 0, 0, 0]
    }

    private static func packets(_ count: Int) -> [UInt8] {
        let packet = [0x47] + [UInt8](repeating: 0, count: 187)
        return (0..<count).flatMap { _ in packet }
    }

    private static func tagged(_ frame: [UInt8]) -> [UInt8] {
        [UInt8]("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5] + frame
    }

    static let kinds: [([UInt8], String?, ContentKind)] = [
        ([], nil, .unknown),
        ([UInt8]("#EXTM3U\n".utf8), "text/html", .hlsPlaylist),
        ([UInt8]("#EXTM3U\n#EXT-X-MEDIA:NAME=\"\u{7}\"\n".utf8), nil, .hlsPlaylist),
        ([0xef, 0xbb, 0xbf] + [UInt8]("#EXTM3U\n".utf8), nil, .hlsPlaylist),
        ([UInt8](" \n<!DOCTYPE html><p>".utf8), "video/mp4", .html),
        ([UInt8]("hello".utf8), "text/html", .html),
        ([UInt8]("<?xml version='1.0'?><MPD xmlns='x'>".utf8), nil, .dash),
        ([UInt8]("WEBVTT\n".utf8), nil, .vtt),
        ([UInt8]("hello, world".utf8), "video/mp4", .text),
        (packets(3), "text/plain", .mpegTS),
        (packets(1), nil, .unknown),
        (box("ftyp"), nil, .mp4),
        (box("ftyp", "M4A "), nil, .m4a),
        (box("ftyp", "qt  "), nil, .quickTime),
        (box("ftyp", "avif"), nil, .avif),
        (box("styp"), nil, .fragmentedMP4Segment),
        (box("moof"), nil, .fragmentedMP4Segment),
        ([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x84] + [UInt8]("webm".utf8), nil, .webm),
        ([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x88] + [UInt8]("matroska".utf8), nil, .matroska),
        ([UInt8]("OggS".utf8), nil, .ogg),
        ([0xff, 0xfb, 0x90, 0x00], nil, .mp3),
        ([0xff, 0xf1, 0x50, 0x80], nil, .aac),
        (tagged([0xff, 0xf1, 0x50, 0x80]), nil, .aac),
        (tagged([0xff, 0xfb, 0x90, 0x00]), nil, .mp3),
        ([UInt8]("ID3".utf8) + [4, 0, 0, 1, 0, 0, 0], "audio/aac", .aac),
        ([UInt8]("ID3".utf8) + [4, 0, 0, 1, 0, 0, 0], nil, .mp3),
        ([UInt8]("RIFF____WAVE".utf8), nil, .wav),
        ([UInt8]("RIFF____WEBP".utf8), nil, .webp),
        ([0xff, 0xd8, 0xff, 0xe0], nil, .jpeg),
        ([0xff, 0xfe, 0x41, 0x00], nil, .unknown),
        ([UInt8]("%PDF-1.7".utf8), nil, .pdf),
        ([0x50, 0x4b, 3, 4], nil, .zip),
        ([0, 1, 2, 3], "video/mp4", .unknown),
    ]

    @Test(arguments: kinds)
    func theBytesDetermineTheKind(bytes: [UInt8], contentType: String?, kind: ContentKind) {
        let found = ContentSniffer.kind(of: bytes, contentType: contentType) { _ in false }
        #expect(found == kind)
    }

    @Test(arguments: ContentKind.allCases)
    func o11_extensionsAreShortASCIIWords(kind: ContentKind) {
        let isPlain = kind.fileExtension.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0)
        }
        #expect(isPlain)
        #expect((2...4).contains(kind.fileExtension.utf8.count))
    }

    @Test(arguments: ContentKind.allCases)
    func nothingIsServedAsAPage(kind: ContentKind) {
        #expect(!kind.mediaType.contains("html"))
        #expect(!kind.mediaType.contains("xml"))
    }
}
