// SPDX-License-Identifier: Apache-2.0

/// The message and notification centers that a post has passed, including the current one.
///
/// The path references the centers weakly, so a retained notification keeps no center alive.
struct ForwardingPath: Sendable {
    private struct PassedCenter: Sendable {
        weak let center: (any AnyObject & Sendable)?
    }

    private let passed: [PassedCenter]

    /// Creates the path of a post that the program made on `center`.
    init(from center: any AnyObject & Sendable) {
        passed = [PassedCenter(center: center)]
    }

    private init(_ passed: [PassedCenter]) {
        self.passed = passed
    }

    /// Returns the path with `center` appended, or nil if the path already contains the center.
    func extended(to center: any AnyObject & Sendable) -> ForwardingPath? {
        if passed.contains(where: { $0.center === center }) { return nil }
        return ForwardingPath(passed + [PassedCenter(center: center)])
    }
}
