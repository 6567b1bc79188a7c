// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(5)))
struct RawCaptureTests {
    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func section(_ kind: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let checksum = payload.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return bytes(of: kind) + bytes(of: UInt32(payload.count)) + bytes(of: checksum)
            + bytes(of: UInt32(0)) + payload
    }

    private static let path = Array("/usr/bin/films".utf8)

    private static let capture: [UInt8] =
        Array("TIDCRSH1".utf8) + bytes(of: UInt32(1)) + bytes(of: UInt32(1))
        + section(
            1,
            [11, 1, 0, 7, 8, 0, 0, 0].flatMap { bytes(of: Int32($0)) } + bytes(of: UInt64(16))
                + bytes(of: Int64(1_000)) + bytes(of: Int64(5))
        )
        + section(2, [1, 2, 3].flatMap { bytes(of: UInt64($0)) })
        + section(3, Array("worker".utf8))
        + section(4, [0x1000, 0, 0x2000, 1].flatMap { bytes(of: UInt64($0)) })
        + section(5, bytes(of: UInt64(0x3000)))
        + section(
            6,
            [0x1000, 0x4000, 0].flatMap { bytes(of: UInt64($0)) } + bytes(of: UInt32(14))
                + bytes(of: UInt32(0)) + path + [0, 0]
        )

    @Test func aCaptureIsReadAsItWasWritten() throws {
        let sut = try #require(RawCapture(Self.capture + [0, 0, 0, 0]))
        #expect(sut.isComplete && !sut.isTruncated)
        #expect(sut.signal?.number == 11 && sut.signal?.thread == 8 && sut.signal?.address == 16)
        #expect(sut.signal?.seconds == 1_000)
        #expect(sut.architecture == .x86 && sut.registers == [2, 3])
        #expect(sut.threadName == "worker")
        #expect(sut.frames.map(\.address) == [0x1000, 0x2000])
        #expect(sut.frames.map(\.kind) == [.counter, .returns])
        #expect(sut.candidates == [0x3000])
        #expect(sut.mappings.map(\.path) == ["/usr/bin/films"])
        #expect(sut.mappings.first?.end == 0x4000)
    }

    @Test func promise8_tornAtEveryByteItKeepsWhatIsWhole() throws {
        for count in 0..<Self.capture.count {
            let sut = RawCapture(Self.capture.prefix(count))
            #expect((sut == nil) == (count < 16))
            if count >= 16 + 16 + 56 { #expect(sut?.signal?.number == 11) }
        }
        #expect(RawCapture([UInt8](repeating: 0, count: 1 << 18)) == nil)
    }

    @Test func promise8_aSectionThatWasChangedIsLeftOutAndTheOthersStay() throws {
        var bytes = Self.capture
        bytes[16 + 16] ^= 1
        let sut = try #require(RawCapture(bytes))
        #expect(sut.signal == nil && sut.threadName == "worker")
    }

    @Test func promise11_whateverTheBytesAreReadingEnds() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var bytes = Self.capture
            for _ in 0..<8 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255)
            }
            let sut = RawCapture(bytes)
            #expect((sut?.frames.count ?? 0) <= 2)
        }
    }

    @Test func theTextIsARingOfItsNewestBytes() throws {
        let size = 16 << 10
        for written in [0, 5, size, size + 3] {
            var ring = [UInt8](repeating: 0, count: size)
            for index in 0..<written { ring[index % size] = UInt8(index % 251) }
            let section = Self.section(7, Self.bytes(of: UInt32(written)) + ring)
            let sut = try #require(RawCapture(Self.capture + section))
            let wanted = (max(0, written - size)..<written).map { UInt8($0 % 251) }
            #expect(sut.text == wanted)
        }
    }
}
