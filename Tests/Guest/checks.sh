# shellcheck shell=sh
# Sourced by the scripts that run in the guest, as root.

failures=0
check() { # WHAT COMMAND ...: passes when the command succeeds
  what=$1; shift
  if "$@" > /tmp/checked 2>&1; then echo "pass  $what"
  else echo "FAIL  $what"; sed 's/^/      /' /tmp/checked | tail -5; failures=$((failures + 1)); fi
}
within() { # SECONDS COMMAND ...: repeats the command until it succeeds
  end=$(($(cut -d. -f1 /proc/uptime) + $1)); shift
  until "$@"; do
    [ "$(cut -d. -f1 /proc/uptime)" -lt "$end" ] || return 1
    sleep 0.2
  done
}
fixes() { binnacle log-dump --format csv "$@" 2>/dev/null | grep -c , || true; }
more_fixes_than() { [ "$(fixes)" -gt "$1" ]; }
said() { journalctl -u binnacle.service --no-pager -o cat | grep -q -- "$1"; }
closed() { # PORT ...: whether the daemon has none of them open
  files=$(ls -l "/proc/$(systemctl show -P MainPID binnacle.service)/fd")
  for port in "$@"; do
    case $files in *"$port"*) return 1 ;; esac
  done
}
