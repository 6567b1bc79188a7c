// SPDX-License-Identifier: Apache-2.0

extension RawCapture {
    /// The registers under the names that they have in the architecture's manuals; none when the
    /// architecture is not known.
    var namedRegisters: [String: UInt64] {
        let names = architecture?.registerNames ?? []
        return Dictionary(zip(names, registers)) { first, _ in first }
    }
}

extension RawCapture.Architecture {
    /// In the order in which the signal handler writes them.
    fileprivate var registerNames: [String] {
        switch self {
        case .x86:
            [
                "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
                "r12", "r13", "r14", "r15", "rip", "rflags",
            ]
        case .arm: (0..<29).map { "x\($0)" } + ["fp", "lr", "sp", "pc", "pstate"]
        }
    }
}
