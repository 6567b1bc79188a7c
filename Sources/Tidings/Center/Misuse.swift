// SPDX-License-Identifier: Apache-2.0

/// Ends the program with `text` unless `condition` holds.
///
/// In a release build, a failed `precondition` traps without a message, but developers need the
/// message there as much as in a debug build.
package func require(
    _ condition: Bool,
    _ text: @autoclosure () -> String,
    fileID: StaticString = #fileID,
    line: UInt = #line
) {
    guard !condition else { return }
    fatalError(text(), file: fileID, line: line)
}

/// The body of an unavailable declaration.
///
/// No program that calls such a declaration compiles.
package func unavailable() -> Never {
    preconditionFailure("An unavailable declaration has no body.")
}
