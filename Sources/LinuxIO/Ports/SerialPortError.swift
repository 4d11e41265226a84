/// Why a serial port cannot be used.
package enum SerialPortError: Error, Equatable {
  case cannotOpen(path: String, Errno)
  case notSerial(path: String)
  case cannotConfigure(path: String, Errno)
  case speedRefused(path: String, baud: Int)

  /// One line: what failed, on what, and what the user can do.
  package var message: String {
    switch self {
    case .cannotOpen(let path, .accessDenied):
      "\(path): access denied; 'sudo adduser $USER dialout', then log in again"
    case .cannotOpen(let path, .busy):
      "\(path): in use by another program, maybe ModemManager; 'sudo fuser -v \(path)' names it"
    case .cannotOpen(let path, .noSuchFile):
      "\(path): no such port; 'binnacle devices' lists those there are"
    case .cannotOpen(let path, let errno): "\(path): cannot open: \(errno.text)"
    case .notSerial(let path):
      "\(path): not a serial port; 'binnacle devices' lists those there are"
    case .cannotConfigure(let path, let errno):
      "\(path): the driver refuses the settings of a serial port: \(errno.text)"
    case .speedRefused(let path, let baud): "\(path): the driver refuses \(baud) baud"
    }
  }
}
