// SPDX-License-Identifier: Apache-2.0

extension RawCapture {
    /// Returns the registers that say where the program was, under the names that they have in the
    /// architecture's manuals; none when the architecture is not known.
    ///
    /// Others may hold what the program worked on, such as the characters of a short text: of them
    /// only those are given that are zero or point into one of `images`.
    func namedRegisters(_ images: ImageList) -> [String: UInt64] {
        guard let architecture else { return [:] }
        let all = Dictionary(zip(architecture.registerNames, registers)) { first, _ in first }
        return all.filter { name, value in
            architecture.placeRegisters.contains(name) || value == 0
                || images.image(at: value) != nil
        }
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

    /// Those that hold places and flags alone.
    fileprivate var placeRegisters: Set<String> {
        switch self {
        case .x86: ["rsp", "rip", "rflags"]
        case .arm: ["lr", "sp", "pc", "pstate"]
        }
    }
}
