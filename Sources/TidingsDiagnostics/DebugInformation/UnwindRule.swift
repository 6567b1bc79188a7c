// SPDX-License-Identifier: Apache-2.0

/// The rule for finding the caller of a function, and the caller's registers, at one instruction.
///
/// Registers have the numbers of the architecture's DWARF supplement.
struct UnwindRule: Equatable, Sendable {
    /// The location of a register's value in the caller.
    enum Value: Equatable, Sendable {
        /// The value is on the stack, at a distance from the address of the frame.
        case saved(Int64)
        /// The value is in a register.
        case register(Int)
        /// The value is lost, like the return address of a thread's first function.
        case lost
    }

    /// The register from which the address of the frame is computed.
    var base: Int
    /// The distance of the frame from the value of the base.
    var offset: Int64
    /// The number of the return address among the registers.
    var returnAddress: Int
    /// The registers that the function has changed.
    var values: [Int: Value] = [:]

    subscript(register: Int) -> Value { values[register] ?? .register(register) }

    /// Whether the function is the first function of the thread.
    var isFirst: Bool { self[returnAddress] == .lost }

    /// Whether the frame pointer points to the caller's frame pointer and the return address.
    func keepsFrameRecord(_ architecture: RawCapture.Architecture) -> Bool {
        let pointer = architecture.framePointer
        guard case .saved(let place) = self[pointer], self[returnAddress] == .saved(place + 8)
        else { return false }
        return architecture == .arm || base == pointer && offset == -place
    }
}

/// The reason why the caller of a function is not found.
enum UnwindFault: Error, Equatable, Sendable {
    /// The file of this build is not available.
    case unavailable
    /// The tables are damaged.
    case malformed
    /// The tables contain an expression, or another form that compilers use only for special
    /// functions.
    case unsupported
}

/// Finds the rules of a process that has ended.
protocol UnwindRules {
    /// Returns the rule at the address of an instruction, or nil for an address outside the tables
    /// of its file.
    func rule(at address: UInt64) throws(UnwindFault) -> UnwindRule?
}

extension RawCapture.Architecture {
    var framePointer: Int {
        switch self {
        case .x86: 6
        case .arm: 29
        }
    }

    var stackPointer: Int {
        switch self {
        case .x86: 7
        case .arm: 31
        }
    }

    /// The index of the program counter in the captured registers.
    ///
    /// Up to this index, the captured registers have the order of DWARF.
    var programCounter: Int {
        switch self {
        case .x86: 16
        case .arm: 32
        }
    }
}
