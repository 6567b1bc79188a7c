// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RawCaptureTests {
    private static let capture = CaptureBytes().bytes

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
        #expect(sut.mappings.first?.end == 0x4000 && sut.mappings.first?.base == 0x800)
        #expect(sut.mappings.first?.buildID == "0a00ff")
    }

    @Test func r8_aCaptureTornAtAnyByteKeepsItsCompleteSections() throws {
        for count in 0..<Self.capture.count {
            let sut = RawCapture(Self.capture.prefix(count))
            #expect((sut == nil) == (count < 16))
            if count >= 16 + 16 + 56 { #expect(sut?.signal?.number == 11) }
        }
        #expect(RawCapture([UInt8](repeating: 0, count: 1 << 18)) == nil)
    }

    @Test func r8_aChangedSectionIsSkippedAndTheOthersStay() throws {
        var bytes = Self.capture
        bytes[16 + 16] ^= 1
        let sut = try #require(RawCapture(bytes))
        #expect(sut.signal == nil && sut.threadName == "worker")
    }

    @Test func r11_readingArbitraryBytesFinishes() {
        var random = SeededGenerator(11)
        for _ in 0..<2_000 {
            var bytes = Self.capture
            for _ in 0..<8 {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = .random(in: 0...255, using: &random)
            }
            let sut = RawCapture(bytes)
            // A changed kind makes frames of other bytes, but never more than there are.
            #expect((sut?.frames.count ?? 0) * 16 <= bytes.count, "\(random)")
        }
    }

    @Test func theTextIsARingOfItsNewestBytes() throws {
        let size = 16 << 10
        for written in [0, 5, size, size + 3] {
            var ring = [UInt8](repeating: 0, count: size)
            for index in 0..<written { ring[index % size] = UInt8(1 + index % 251) }
            let section = CaptureBytes.section(
                7,
                CaptureBytes.bytes(of: UInt32(written)) + ring
            )
            let sut = try #require(RawCapture(Self.capture + section))
            let wanted = (max(0, written - size)..<written).map { UInt8(1 + $0 % 251) }
            #expect(sut.text == wanted)
        }
    }
}
