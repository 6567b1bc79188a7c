// SPDX-License-Identifier: Apache-2.0

/// Ends the program with `text` unless `condition` holds.
///
/// A release build traps at a failed `precondition` without its text, where whoever misused the
/// API needs it as much.
package func require(
    _ condition: Bool,
    _ text: @autoclosure () -> String,
    fileID: StaticString = #fileID,
    line: UInt = #line
) {
    guard !condition else { return }
    fatalError(text(), file: fileID, line: line)
}
