// SPDX-License-Identifier: Apache-2.0

extension RawCapture {
    /// Returns the registers that locate the program, under the names of the architecture's
    /// manuals, or an empty dictionary for an unknown architecture.
    ///
    /// Other registers may contain data, such as the characters of a short string, and are returned
    /// only if the value is zero or points into `images`.
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
    /// The names in the order in which the signal handler writes the registers.
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

    /// The registers that contain only addresses of code or stack, and flags.
    fileprivate var placeRegisters: Set<String> {
        switch self {
        case .x86: ["rsp", "rip", "rflags"]
        case .arm: ["lr", "sp", "pc", "pstate"]
        }
    }
}
