// SPDX-License-Identifier: Apache-2.0

/// The calls of the crashed thread according to the unwind tables, which also describe functions
/// without frame records.
///
/// Only the return addresses and frame pointers of the stack are known. The walk ends at a function
/// whose frame is found by another word.
struct StackWalk: Equatable, Sendable {
    /// The maximum number of calls, with the crashed function.
    static let limit = 256

    /// The return addresses, innermost first.
    private(set) var addresses: [UInt64] = []
    /// Whether the walk has reached the first function of the thread.
    private(set) var isWhole = false

    private let architecture: RawCapture.Architecture
    private let stack: StackPlaces
    private let calls: [UInt64]
    /// The registers by number, with nil for lost values.
    private var registers: [UInt64?]

    /// Walks from the registers of the crash, without which no call is found.
    init(_ capture: RawCapture, _ rules: any UnwindRules) {
        architecture = capture.architecture ?? .x86
        stack = capture.stack
        calls = capture.candidates
        registers = capture.registers
        guard capture.architecture != nil, registers.count > architecture.programCounter,
            let counter = registers[architecture.programCounter]
        else { return }
        registers.removeLast(registers.count - architecture.programCounter)
        let isCode = capture.mappings.contains { counter >= $0.start && counter < $0.end }
        guard isCode || returnFromBadPointer() else { return }
        walk(from: addresses.first.map { $0 &- 1 } ?? counter, rules)
    }

    /// Starts with the caller of an address without code, and returns whether a caller was found.
    private mutating func returnFromBadPointer() -> Bool {
        let pointer = architecture.stackPointer
        guard let top = registers[pointer] else { return false }
        switch architecture {
        case .x86:
            guard let caller = call(at: top) else { return false }
            addresses = [caller]
            registers[pointer] = top &+ 8
        case .arm:
            guard let caller = registers[30] else { return false }
            addresses = [caller]
        }
        return true
    }

    private mutating func walk(from counter: UInt64, _ rules: any UnwindRules) {
        // The address of the crash is an instruction, but a call returns to the next instruction.
        var instruction = counter
        while addresses.count < Self.limit - 1 {
            guard let rule = try? rules.rule(at: instruction) else { return }
            guard !rule.isFirst else {
                isWhole = true
                return
            }
            guard let caller = step(rule) else { return }
            addresses.append(caller)
            instruction = caller &- 1
        }
    }

    /// Replaces the registers by the caller's registers and returns the return address.
    private mutating func step(_ rule: UnwindRule) -> UInt64? {
        let pointer = architecture.stackPointer
        guard registers.indices.contains(rule.base), let base = registers[rule.base],
            let top = registers[pointer]
        else { return nil }
        let frame = base &+ UInt64(bitPattern: rule.offset)
        // Only the crashed function may not have used the stack yet. Stacks grow downward.
        guard frame > top || frame == top && addresses.isEmpty else { return nil }
        let caller: UInt64?
        switch rule[rule.returnAddress] {
        case .saved(let place): caller = call(at: frame &+ UInt64(bitPattern: place))
        // In outer functions, a called function has overwritten the register.
        case .register(let number):
            caller =
                addresses.isEmpty && registers.indices.contains(number)
                ? registers[number] : nil
        case .lost: caller = nil
        }
        guard let caller else { return nil }
        registers = registers.indices.map { number in
            switch rule[number] {
            case .saved(let place):
                stack.framePointer(at: frame &+ UInt64(bitPattern: place))
            case .register(let other): registers.indices.contains(other) ? registers[other] : nil
            case .lost: nil
            }
        }
        registers[pointer] = frame
        return caller
    }

    /// Returns the return address at an address of the stack.
    private func call(at address: UInt64) -> UInt64? {
        guard let index = stack.index(of: address),
            let number = stack.calls.firstIndex(of: index), calls.indices.contains(number)
        else { return nil }
        return calls[number]
    }
}
