// SPDX-License-Identifier: Apache-2.0

/// Whether crashes are captured, and all problems of the setup.
struct CaptureStatus: Hashable, Sendable {
    /// The reason why crashes are not captured, or nil if they are.
    let reason: CaptureObstacle?
    /// Whether the text of the standard error is captured.
    let capturesStandardError: Bool
    /// The faults of the setup that make crash reports less complete.
    ///
    /// Each string states a fault and a remedy in one or two sentences for users.
    let problems: [String]

    var isOn: Bool { reason == nil }

    init(
        reason: CaptureObstacle? = nil,
        capturesStandardError: Bool = false,
        problems: [String] = []
    ) {
        self.reason = reason
        self.capturesStandardError = capturesStandardError
        self.problems = problems
    }
}
