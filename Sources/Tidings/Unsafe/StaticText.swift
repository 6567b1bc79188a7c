// SPDX-License-Identifier: Apache-2.0

/// A text of the program itself, in one word.
///
/// Unchecked: it points to a constant, which nobody can write and which stays as long as the code.
@safe struct StaticText: @unchecked Sendable {
    private let start: UnsafePointer<CChar>?

    init(_ text: StaticString) {
        // Invariant: such a text ends with a zero byte and is never freed.
        unsafe start =
            text.hasPointerRepresentation
            ? UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self) : nil
    }

    var text: String {
        guard let start = unsafe start else { return "" }
        return unsafe String(cString: start)
    }
}
