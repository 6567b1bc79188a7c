// SPDX-License-Identifier: Apache-2.0

/// A static string of the program, in one word.
///
/// Unchecked: it points to a constant, which is never written and stays as long as the code.
@safe struct StaticText: @unchecked Sendable {
    private let start: UnsafePointer<CChar>?

    init(_ text: StaticString) {
        // Invariant: a static string ends with a zero byte and is never freed.
        unsafe start =
            text.hasPointerRepresentation
            ? UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) : nil
    }

    var text: String {
        guard let start = unsafe start else { return "" }
        return unsafe String(cString: start)
    }
}
