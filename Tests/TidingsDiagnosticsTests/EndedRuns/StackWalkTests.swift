// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

/// Unwind rules by the address of an instruction.
struct ScriptedRules: UnwindRules {
    var known: [UInt64: UnwindRule] = [:]

    func rule(at address: UInt64) throws(UnwindFault) -> UnwindRule? {
        guard let rule = known[address] else { throw .unavailable }
        return rule
    }
}

extension UnwindRule {
    /// The rule of a function that keeps a frame record.
    static let record = UnwindRule(
        base: 6,
        offset: 16,
        returnAddress: 16,
        values: [6: .saved(-16), 16: .saved(-8)]
    )
    /// The rule of a thread's first function.
    static let first = UnwindRule(base: 7, offset: 8, returnAddress: 16, values: [16: .lost])

    /// Returns the rule of a function whose frame has some bytes and may hold the frame pointer.
    static func frameless(_ size: Int64, framePointer: Int64? = nil) -> UnwindRule {
        var rule = UnwindRule(base: 7, offset: size, returnAddress: 16)
        rule.values = [16: .saved(-8)]
        rule.values[6] = framePointer.map { .saved($0) }
        return rule
    }
}

/// A crash at 0x1000 in a program, in a function that the C library at 0x9100 has called.
///
/// The function keeps a frame record. The library is mapped at 0x9000 and keeps no frame record.
/// The function at 0x2000 in the program has called the library.
struct WalkFixture {
    var bytes = CaptureBytes()
    var rules = ScriptedRules()

    init() {
        bytes.mappings = [
            .init(start: 0x1000, end: 0x5000, base: 0x800, path: "/srv/films/films"),
            .init(start: 0x9000, end: 0xA000, base: 0x8000, path: "/usr/lib/x86_64/libc.so.6"),
        ]
        bytes.registers = [1] + [UInt64](repeating: 0, count: 18)
        setRegister(6, 0x7010)
        setRegister(7, 0x7000)
        setRegister(16, 0x1000)
        bytes.frames = [0x1000, 0, 0x9100, 1, 0x3000, 1]
        bytes.candidates = [0x9100, 0x2000, 0x3000]
        bytes.places = [3, 7, 9]
        // The frame pointer that the first function has saved points to the frame record of 0x2000.
        bytes.links = [2, 8]
        rules.known = [
            0x1000: .record, 0x90FF: .frameless(32), 0x1FFF: .record, 0x2FFF: .first,
        ]
    }

    mutating func setRegister(_ number: Int, _ value: UInt64) {
        bytes.registers[number + 1] = value
    }

    func walk() throws -> StackWalk { StackWalk(try #require(RawCapture(bytes.bytes)), rules) }

    func stack() throws -> CrashStack {
        let capture = try #require(RawCapture(bytes.bytes))
        return CrashStack(capture, images: ImageList(capture, known: nil), rules: rules)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct StackWalkTests {
    private var fixture = WalkFixture()

    private func addresses() throws -> [UInt64] { try fixture.walk().addresses }

    @Test func r25_theCallerOfAFunctionWithoutAFrameRecordIsFound() throws {
        let walk = try fixture.walk()
        #expect(walk.addresses == [0x9100, 0x2000, 0x3000] && walk.isWhole)
    }

    @Test mutating func r25_aFramePointerIsFollowedThroughFunctionsThatUseItOtherwise() throws {
        // The library uses the frame pointer as any register and has saved the earlier value.
        fixture.bytes.links = [5, 8]
        fixture.rules.known[0x90FF] = .frameless(32, framePointer: -24)
        #expect(try addresses() == [0x9100, 0x2000, 0x3000])
        fixture.bytes.links = []
        #expect(try addresses() == [0x9100, 0x2000] && !fixture.walk().isWhole)
    }

    @Test mutating func aWordThatIsNoReturnAddressEndsTheWalk() throws {
        fixture.rules.known[0x90FF] = .frameless(24)
        #expect(try addresses() == [0x9100])
        fixture.rules.known[0x1000] = .frameless(12)
        #expect(try addresses() == [])
    }

    @Test mutating func theStackNeverGrowsWhileWalking() throws {
        fixture.rules.known[0x90FF] = .frameless(0)
        #expect(try addresses() == [0x9100])
        fixture.rules.known[0x90FF] = .frameless(.min)
        #expect(try addresses() == [0x9100])
        // This function returns to itself for ever.
        fixture.bytes.candidates = [UInt64](repeating: 0x9100, count: 1_000)
        fixture.bytes.places = Array(0..<1_000)
        fixture.rules.known[0x90FF] = .frameless(8)
        #expect(try addresses().count == StackWalk.limit - 1)
    }

    @Test mutating func aFunctionThatWasCalledThroughABadPointerHasItsCaller() throws {
        fixture.setRegister(16, 0xBAD)
        fixture.setRegister(6, 0x7040)
        fixture.setRegister(7, 0x7018)
        #expect(try addresses() == [0x9100, 0x2000, 0x3000])
        fixture.setRegister(7, 0x7010)
        #expect(try addresses() == [])
    }

    @Test mutating func anotherArchitectureHasItsOwnRegisters() throws {
        fixture.bytes.registers = [2] + [UInt64](repeating: 0, count: 34)
        fixture.setRegister(30, 0x9100)
        fixture.setRegister(31, 0x7000)
        fixture.setRegister(32, 0x1000)
        let leaf = UnwindRule(base: 31, offset: 0, returnAddress: 30)
        var library = UnwindRule(base: 31, offset: 0x40, returnAddress: 30)
        library.values = [30: .saved(-8)]
        // A register that contains its own return address leads nowhere.
        fixture.rules.known = [0x1000: leaf, 0x90FF: library, 0x1FFF: leaf]
        #expect(try addresses() == [0x9100, 0x2000] && !fixture.walk().isWhole)
        fixture.rules.known[0x1FFF] = UnwindRule(
            base: 31,
            offset: 0,
            returnAddress: 30,
            values: [30: .lost]
        )
        #expect(try fixture.walk().isWhole)
    }

    @Test mutating func r11_incompleteCapturesHaveNoCalls() throws {
        for count in 0..<17 {
            fixture.bytes.registers = [1] + [UInt64](repeating: 0x7000, count: count)
            #expect(try addresses() == [])
        }
        fixture.bytes.registers = []
        #expect(try addresses() == [])
        fixture = WalkFixture()
        fixture.bytes.candidates = [0x9100]
        #expect(try addresses() == [0x9100])
        for rule in [UnwindRule(base: 99, offset: 8, returnAddress: 16), .frameless(.max)] {
            fixture.rules.known[0x1000] = rule
            #expect(try addresses() == [])
        }
    }
}
