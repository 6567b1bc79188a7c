// SPDX-License-Identifier: Apache-2.0

/// The keys of a task and its child tasks, per reporter.
enum LocalScope {
    @TaskLocal static var values: [ObjectIdentifier: [String: ReportValue]] = [:]
}
